import InboxModel

/// A person whom the server knows.
package struct Person: Hashable, Sendable {
    package let id: Int
    /// The app's id.
    package let name: String
    /// The JMAP account id.
    package let account: String
}

/// The rule for the app's ids of people.
package enum PersonName {
    package static let rule = "has to be 1 to \(MessageLimits.person) bytes without control characters"

    package static func isValid(_ name: String) -> Bool {
        (1...MessageLimits.person).contains(name.utf8.count) && isPlain(name)
    }

    /// Whether it has no control characters.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value > 0x1F && !(0x7F...0x9F).contains($0.value) }
    }
}
