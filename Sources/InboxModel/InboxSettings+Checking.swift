package import Groundwork

/// The limits of a surface's settings, in bytes of UTF-8 unless noted otherwise.
package enum SettingsLimits {
    /// The maximum size of each text.
    package static let text = 1_000
    /// The range of message counts.
    package static let messages = 1...10_000
    /// The range of the spacing between messages, in points.
    package static let cardSpacing = 0...200
    /// The range of the unread indicator's size, in points.
    package static let indicatorSize = 1...100
}

extension InboxSettings {
    /// Validates settings from a backend strictly. Unknown fields, wrong types and values beyond ``SettingsLimits`` are
    /// rejected.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    package init(checking reader: JSONReader) throws(JSONValueError) {
        self.init()
        try reader.only(Set(SettingsField.allCases.map(\.rawValue)))
        func text(_ field: SettingsField) throws(JSONValueError) -> String? {
            try reader.member(field.rawValue)?.string(maxBytes: SettingsLimits.text)
        }
        title = try text(.title)
        buttonLabel = try text(.buttonLabel)
        emptyTitle = try text(.emptyTitle)
        emptyMessage = try text(.emptyMessage)
        emptyImage = try reader.member(SettingsField.emptyImage.rawValue)?.media()
        errorTitle = try text(.errorTitle)
        errorMessage = try text(.errorMessage)
        if let member = reader.member(SettingsField.layout.rawValue) {
            layout = Layout(rawValue: try member.string())
            if case .other = layout { throw member.failure("has to be vertical or horizontal") }
        }
        capacity = try reader.member(SettingsField.capacity.rawValue)?.int(in: SettingsLimits.messages)
        if let member = reader.member(SettingsField.deviceLimit.rawValue) { deviceLimit = try member.messageCount() }
        if let member = reader.member(SettingsField.newDeviceLimit.rawValue) {
            newDeviceLimit = try member.messageCount()
        }
        if let member = reader.member(SettingsField.unreadIndicator.rawValue) {
            unreadIndicator = try UnreadIndicator(checking: member)
        }
        if let member = reader.member(SettingsField.isPullToRefreshEnabled.rawValue) {
            isPullToRefreshEnabled = try member.bool()
        }
        if let member = reader.member(SettingsField.cardSpacing.rawValue) {
            cardSpacing = try member.int(in: SettingsLimits.cardSpacing)
        }
    }
}

extension UnreadIndicator {
    fileprivate init(checking reader: JSONReader) throws(JSONValueError) {
        self.init()
        try reader.only(["isShown", "placement", "size", "icon", "background", "darkBackground"])
        isShown = try reader.member("isShown")?.bool() ?? isShown
        if let member = reader.member("placement") {
            placement = Placement(rawValue: try member.string())
            if case .other = placement {
                throw member.failure("has to be one of \(Placement.known.map(\.rawValue).joined(separator: ", "))")
            }
        }
        size = try reader.member("size")?.int(in: SettingsLimits.indicatorSize) ?? size
        icon = try reader.member("icon")?.media()
        background = try reader.member("background")?.color()
        darkBackground = try reader.member("darkBackground")?.color()
    }
}

extension JSONReader {
    fileprivate func messageCount() throws(JSONValueError) -> InboxSettings.MessageCount {
        if value.stringValue == InboxSettings.MessageCount.allText { return .all }
        guard let count = value.intValue, SettingsLimits.messages.contains(count) else {
            throw failure("has to be from 1 to \(SettingsLimits.messages.upperBound), or \"all\"")
        }
        return .atMost(count)
    }

    fileprivate func color() throws(JSONValueError) -> String {
        let text = try string()
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw failure("has to be #RRGGBB or #RRGGBBAA") }
        return text
    }
}
