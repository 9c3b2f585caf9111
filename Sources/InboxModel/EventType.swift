/// The type of a message event.
///
/// An app may have types of its own beside them.
public enum EventType: Hashable, Sendable {
    /// The message arrived on the device.
    case delivered
    /// The message was displayed on screen.
    case displayed
    /// The person opened the message.
    case opened
    /// The person clicked one of the message's actions or the message itself.
    case clicked
    /// The person dismissed the message.
    case dismissed
    /// A type that this version doesn't know, such as one of the app's own. It is preserved.
    case other(String)

    /// The predefined types.
    public static let known: [EventType] = [.delivered, .displayed, .opened, .clicked, .dismissed]

    /// The value in JSON.
    public var rawValue: String {
        switch self {
        case .delivered: "delivered"
        case .displayed: "displayed"
        case .opened: "opened"
        case .clicked: "clicked"
        case .dismissed: "dismissed"
        case .other(let raw): raw
        }
    }

    /// Creates a type from its value in JSON. It never fails.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
    }

    /// Whether a text is a valid type name: a letter, then up to 63 characters of `A-Za-z0-9_.-`.
    package static func isValid(_ text: String) -> Bool {
        let letters: (UInt8) -> Bool = { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        return (1...EventLimits.type).contains(text.utf8.count) && text.utf8.first.map(letters) ?? false
            && text.utf8.allSatisfy { letters($0) || (0x30...0x39).contains($0) || [0x5F, 0x2E, 0x2D].contains($0) }
    }
}
