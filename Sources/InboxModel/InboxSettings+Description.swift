/// One-line descriptions of settings, for logs and the debugger.
extension InboxSettings: CustomStringConvertible {
    /// A description that names the texts that are set but doesn't contain them, such as `InboxSettings(vertical,
    /// deviceLimit: 200, unread marks: topLeft, texts: title, emptyTitle)`.
    public var description: String {
        let names = texts.map(\.name).joined(separator: ", ")
        return "InboxSettings(\((facts + (names.isEmpty ? [] : ["texts: \(names)"])).joined(separator: ", ")))"
    }

    /// ``description`` with the texts.
    public var descriptionWithTexts: String {
        let all = texts.map { "\($0.name): \($0.text.debugDescription)" }
        return "InboxSettings(\((facts + all).joined(separator: ", ")))"
    }

    private var facts: [String] {
        var facts = [layout.rawValue]
        if let capacity { facts.append("capacity: \(capacity)") }
        facts += ["deviceLimit: \(deviceLimit.text)", "newDeviceLimit: \(newDeviceLimit.text)"]
        facts.append(
            unreadIndicator.isShown ? "unread marks: \(unreadIndicator.placement.rawValue)" : "no unread marks"
        )
        if isPullToRefreshEnabled { facts.append("pull to refresh") }
        if let emptyImage { facts.append("emptyImage: \(emptyImage)") }
        return facts
    }

    private var texts: [(name: String, text: String)] {
        let all: [(String, String?)] = [
            ("title", title), ("buttonLabel", buttonLabel), ("emptyTitle", emptyTitle), ("emptyMessage", emptyMessage),
            ("errorTitle", errorTitle), ("errorMessage", errorMessage),
        ]
        return all.compactMap { name, text in text.map { (name, $0) } }
    }
}

extension InboxSettings.MessageCount {
    fileprivate var text: String {
        switch self {
        case .all: "all"
        case .atMost(let count): "\(count)"
        }
    }
}
