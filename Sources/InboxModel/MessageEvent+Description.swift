import Groundwork

/// One-line descriptions of events, for logs and the debugger.
extension MessageEvent: CustomStringConvertible {
    /// The event without the values of its data, such as `MessageEvent(e1, clicked, message: m1, action: 1, at
    /// 2026-05-01T08:00:00Z, 2 values)`.
    public var description: String { "MessageEvent(\(facts.joined(separator: ", ")))" }

    /// ``description`` with the values of its data.
    public var descriptionWithTexts: String {
        let values = data.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "MessageEvent(\((facts + values).joined(separator: ", ")))"
    }

    private var facts: [String] {
        var facts = [uid, type.rawValue, "message: \(message)"]
        if let action { facts.append("action: \(action)") }
        if let at { facts.append("at \(RFC3339.string(from: at))") }
        if type == .clicked, !reads { facts.append("reads nothing") }
        switch data.count {
        case 0: break
        case 1: facts.append("1 value")
        case let count: facts.append("\(count) values")
        }
        return facts
    }
}
