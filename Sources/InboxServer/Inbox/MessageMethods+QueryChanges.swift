import Groundwork
import InboxService
import JMAP

extension MessageMethods {
    /// The maximum number of changed records for which `queryChanges` answers. Beyond it, the client has to query
    /// again.
    static let maxQueryChanges = 5_000

    /// Answers `InboxMessage/queryChanges` (RFC 8620, section 5.6), for queries sorted by delivery. In any other order,
    /// the position of a record can't be determined without reading the whole inbox, as a new query does.
    func queryChanges(_ arguments: QueryChangesArguments, _ reads: PersonReads) async throws -> [UInt8] {
        let person = reads.person
        try check(arguments.accountID, of: person)
        let filter = try arguments.filter.map { try InboxFilter(reading: $0.reader) } ?? InboxFilter()
        guard let isAscending = try InboxSort(arguments.sort).deliveryIsAscending,
            let since = PersonState(arguments.sinceQueryState)
        else { throw MethodError.cannotCalculateChanges }
        return try await reads.read { reading in
            let inbox = reading.inbox(of: person)
            let state = try inbox.state()
            guard since.isReachable(from: state) else { throw MethodError.cannotCalculateChanges }
            let changes = try inbox.changes(since: ChangesPosition(at: since), limit: Self.maxQueryChanges)
            guard !changes.hasMoreChanges else { throw MethodError.cannotCalculateChanges }
            let result = try inbox.queryChanges(
                changes,
                filter: filter,
                isAscending: isAscending,
                upTo: arguments.upToID.flatMap { MessageID($0) }
            )
            guard result.count <= arguments.maxChanges ?? Int.max else { throw MethodError.tooManyChanges }
            try reads.budget.count(rows: result.count)
            let added = result.added.map { ["id": .string($0.id.text), "index": JSON($0.index)] as JSON }
            var response = JSONObject([
                ("accountId", .string(person.account)),
                ("oldQueryState", .string(arguments.sinceQueryState)),
                ("newQueryState", .string(state.text)),
                ("removed", JSON(result.removed.map(\.text))),
                ("added", .array(added)),
            ])
            if arguments.calculateTotal { response["total"] = JSON(try inbox.count(filter: filter)) }
            return JSON.object(response).utf8
        }
    }
}
