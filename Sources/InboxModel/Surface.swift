/// A place in an app that shows messages.
///
/// Its name is the value of a message's ``Message/surface``. A URI, such as
/// `mobileapp://<bundle id>/<path>`, is a name like any other.
public struct Surface: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, 1 to 256 bytes.
    public let name: String

    /// Creates the surface with the given name.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates the surface with the given name.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The default surface of messages, `inbox`.
    public static let inbox = Surface(Message.defaultSurface)

    /// The name.
    public var description: String { name }
}
