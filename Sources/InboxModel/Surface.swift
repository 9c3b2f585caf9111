/// A place in the app where messages are shown.
///
/// Its name is what a message's ``Message/surface`` says. Adobe's surfaces are URIs, `mobileapp://<bundle id>/<path>`;
/// such a URI is a name like any other.
public struct Surface: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, 1 to 256 bytes.
    public let name: String

    /// The place of that name.
    public init(_ name: String) {
        self.name = name
    }

    /// The place of that name.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The surface of messages whose sender names none: `inbox`.
    public static let inbox = Surface(Message.defaultSurface)

    /// The name.
    public var description: String { name }
}
