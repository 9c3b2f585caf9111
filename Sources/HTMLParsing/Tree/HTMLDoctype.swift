/// A document type.
public struct HTMLDoctype: Hashable, Sendable {
    /// The name in lowercase, usually `html`. It is empty if it is missing.
    public let name: String
    /// The public identifier. It is empty if it is missing.
    public let publicID: String
    /// The system identifier. It is empty if it is missing.
    public let systemID: String

    init(_ token: DoctypeToken) {
        name = String(decoding: token.name ?? [], as: UTF8.self)
        publicID = String(decoding: token.publicID ?? [], as: UTF8.self)
        systemID = String(decoding: token.systemID ?? [], as: UTF8.self)
    }
}
