/// The button on a card that sends the message away.
public enum DismissButton: Hashable, Sendable {
    /// There is none.
    case none
    /// An ×.
    case simple
    /// An × in a filled circle.
    case circle
    /// A value that this version doesn't know, kept as it came; shown as none.
    case other(String)

    /// Those that a backend may set.
    package static let known: [DismissButton] = [.none, .simple, .circle]

    /// The wire's spelling.
    public var rawValue: String {
        switch self {
        case .none: "none"
        case .simple: "simple"
        case .circle: "circle"
        case .other(let raw): raw
        }
    }

    /// Reads the wire's spelling; never fails.
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
    }
}
