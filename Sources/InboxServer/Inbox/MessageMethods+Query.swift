import Groundwork
import InboxService
import JMAP

extension MessageMethods {
    /// The maximum number of ids in a response of `query`.
    static let maxQueryLimit = 5_000

    /// Answers `InboxMessage/query` (RFC 8620, section 5.5).
    ///
    /// - Parameter isFetched: Whether the next call gets the messages.
    func query(
        _ arguments: QueryArguments,
        isFetched: Bool,
        _ reads: PersonReads,
        _ reading: ReadTransaction
    ) throws -> [UInt8] {
        let person = reads.person
        try check(arguments.accountID, of: person)
        let filter = try arguments.filter.map { try InboxFilter(reading: $0.reader) } ?? InboxFilter()
        let sort = try InboxSort(arguments.sort)
        let limit = min(arguments.limit ?? Self.maxQueryLimit, Self.maxQueryLimit)
        let inbox = reading.inbox(of: person)
        let position: Int
        var total: Int?
        switch arguments.start {
        case .anchor(let anchor, let offset):
            guard let id = MessageID(anchor), let index = try inbox.index(of: id, filter: filter, sort: sort) else {
                throw MethodError.anchorNotFound
            }
            position = max(0, index + offset)
        case .position(let requested):
            // A negative position counts from the end, and is clamped to the start.
            if requested < 0 { total = try inbox.count(filter: filter) }
            position = requested < 0 ? max(0, (total ?? 0) + requested) : requested
        }
        let state = try inbox.queuedState()
        let ids = try inbox.ids(filter: filter, sort: sort, offset: position, limit: limit, isFetched: isFetched)
        try reads.budget.count(rows: ids.count)
        var response = JSONObject([
            ("accountId", .string(person.account)),
            ("queryState", .string(try state.value().text)),
            ("canCalculateChanges", .bool(sort.deliveryIsAscending != nil)),
            ("position", JSON(position)),
            ("ids", JSON(ids.map(\.text))),
        ])
        if arguments.calculateTotal { response["total"] = JSON(try total ?? inbox.count(filter: filter)) }
        if limit != arguments.limit { response["limit"] = JSON(limit) }
        return JSON.object(response).utf8
    }
}
