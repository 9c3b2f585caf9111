/// The style of the dismiss button on a card.
public enum DismissButton: Hashable, Sendable {
    /// No button.
    case none
    /// An ×.
    case simple
    /// An × in a filled circle.
    case circle
    /// A value that this version doesn't know. It is preserved and shown as no button.
    case other(String)

    /// The values that a backend may set.
    package static let known: [DismissButton] = [.none, .simple, .circle]

    /// The value in JSON.
    public var rawValue: String {
        switch self {
        case .none: "none"
        case .simple: "simple"
        case .circle: "circle"
        case .other(let raw): raw
        }
    }

    /// Creates a style from its value in JSON. It never fails.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
    }
}
