import Replica

extension QueryExpression {
    /// The names and addresses of a mail or thread.
    ///
    /// A server filter can contain an address, which has one spelling. Names may be in any encoding.
    static func addresses(
        _ name: String,
        _ read: @escaping @Sendable (Record) -> [EmailAddress]
    ) -> QueryExpression {
        .list(QueryList(name, text: { $0 == \EmailAddress.email ? "email" : nil }) { QueryValue(read($0)) })
    }
}
