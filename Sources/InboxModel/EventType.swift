/// What happened to a message.
///
/// The names of the four systems that this one takes over from, and names of the app's own.
public enum EventType: Hashable, Sendable {
    /// The device has it.
    case delivered
    /// It came onto the screen (Adobe's `onCardDisplayed`).
    case displayed
    /// The person opened it (Bloomreach's `trackAppInboxOpened`).
    case opened
    /// The person clicked one of its actions, or the message itself (Bloomreach's `trackAppInboxClick`, Zeta's
    /// `onMessageClicked`, Adobe's `onCardInteracted`).
    case clicked
    /// The person sent it away (Adobe's `onCardDismissed`).
    case dismissed
    /// A type that this version doesn't know, such as one of the app's own, kept as it came.
    case other(String)

    /// The types that have a meaning here.
    public static let known: [EventType] = [.delivered, .displayed, .opened, .clicked, .dismissed]

    /// The wire's spelling.
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

    /// Reads the wire's spelling; never fails.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
    }

    /// Whether a text can name a type: a letter, then up to 63 of `A-Za-z0-9_.-`.
    package static func isValid(_ text: String) -> Bool {
        let letters: (UInt8) -> Bool = { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        return (1...EventLimits.type).contains(text.utf8.count) && text.utf8.first.map(letters) ?? false
            && text.utf8.allSatisfy { letters($0) || (0x30...0x39).contains($0) || [0x5F, 0x2E, 0x2D].contains($0) }
    }
}
