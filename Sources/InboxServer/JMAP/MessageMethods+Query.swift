import Groundwork
import InboxModel
import JMAP

extension MessageMethods {
    /// How many ids one answer of `query` gives at most.
    static let maxQueryLimit = 5_000

    /// `InboxMessage/query` (RFC 8620 §5.5), sorted by delivery date.
    func query(_ arguments: QueryArguments, for person: Person) async throws -> [UInt8] {
        try check(arguments.accountID, of: person)
        let filter = try arguments.filter.map { try InboxFilter(reading: $0.reader) } ?? InboxFilter()
        let isAscending = try Self.isAscending(arguments.sort)
        let limit = min(arguments.limit ?? Self.maxQueryLimit, Self.maxQueryLimit)
        return try await storage.read { db in
            let inbox = Inbox(db: db, person: person)
            let total = arguments.calculateTotal || arguments.position < 0 ? try inbox.count(filter: filter) : nil
            // A negative position counts from the end, and stops at the start (RFC 8620 §5.5).
            let position = arguments.position < 0 ? max(0, (total ?? 0) + arguments.position) : arguments.position
            let ids = try inbox.ids(filter: filter, isAscending: isAscending, offset: position, limit: limit)
            var answer = JSONObject([
                ("accountId", .string(person.account)),
                ("queryState", .string(try inbox.state().text)),
                ("canCalculateChanges", false),
                ("position", JSON(position)),
                ("ids", JSON(ids.map(\.text))),
            ])
            if arguments.calculateTotal { answer["total"] = total.map { JSON($0) } }
            if limit != arguments.limit { answer["limit"] = JSON(limit) }
            return JSON.object(answer).utf8
        }
    }

    private static func isAscending(_ sort: [QueryArguments.Comparator]) throws(MethodError) -> Bool {
        guard let comparator = sort.first else { return false }
        guard sort.count == 1, comparator.property == MessageField.deliverAt.rawValue else {
            throw .unsupportedSort("messages can be sorted by deliverAt alone")
        }
        return comparator.isAscending
    }
}
