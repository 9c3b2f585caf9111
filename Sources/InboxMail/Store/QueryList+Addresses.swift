import Replica

extension QueryExpression {
    /// Names and addresses of a mail or thread.
    ///
    /// A server can be told of an address, which is written in one way; names it may have in any encoding.
    static func addresses(
        _ name: String,
        _ read: @escaping @Sendable (Record) -> [EmailAddress]
    ) -> QueryExpression {
        .list(QueryList(name, text: { $0 == \EmailAddress.email ? "email" : nil }) { QueryValue(read($0)) })
    }
}
