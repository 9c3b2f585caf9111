/// A name and address under which the person may send (RFC 8621 §6).
public struct MailIdentity: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The name that goes with the address.
    public let name: String
    /// The address; empty where the server doesn't know it.
    public let email: String
}
