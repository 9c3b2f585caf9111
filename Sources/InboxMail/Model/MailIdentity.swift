/// A name and address with which the person may send (RFC 8621, section 6).
public struct MailIdentity: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The sender's name.
    public let name: String
    /// The address; empty if the server doesn't provide it.
    public let email: String
}
