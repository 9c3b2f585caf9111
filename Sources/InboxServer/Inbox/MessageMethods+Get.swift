import Groundwork
import InboxModel
import InboxService
import JMAP

extension MessageMethods {
    /// The arguments of a call of `InboxMessage/get`, checked.
    struct PreparedGet: Sendable {
        fileprivate let fields: [MessageField]?
        /// Each once. Nil for all messages.
        fileprivate let ids: [String]?
    }

    /// Checks the arguments of a call of `InboxMessage/get`.
    func prepared(_ arguments: GetArguments, for person: Person) throws(MethodError) -> PreparedGet {
        try check(arguments.accountID, of: person)
        var fields: [MessageField]?
        if let properties = arguments.properties { fields = try Self.fields(properties) }
        var seen: Set<String> = []
        let ids = arguments.ids?.filter { seen.insert($0).inserted }
        guard ids?.count ?? 0 <= core.maxObjectsInGet else { throw tooMany }
        return PreparedGet(fields: fields, ids: ids)
    }

    private var tooMany: MethodError {
        .requestTooLarge("At most \(core.maxObjectsInGet) messages may be requested in one call.")
    }

    /// Answers `InboxMessage/get` (RFC 8620, section 5.1).
    func get(_ arguments: GetArguments, _ reads: PersonReads) async throws -> [UInt8] {
        let prepared = try prepared(arguments, for: reads.person)
        // Clients request no ids to get the state, and when a result reference is empty: in each sync without news.
        if prepared.ids?.isEmpty ?? false {
            return Self.head(reads.person, try await people.latestState(of: reads.person)) + Self.tail(notFound: [])
        }
        return try await reads.read { reading in try get(prepared, reads, reading) }
    }

    /// Answers `InboxMessage/get` from a snapshot.
    func get(_ prepared: PreparedGet, _ reads: PersonReads, _ reading: ReadTransaction) throws -> [UInt8] {
        let inbox = reading.inbox(of: reads.person)
        if let ids = prepared.ids {
            return try Self.answer(
                ids.map { MessageID($0) },
                named: ids,
                fields: prepared.fields,
                inbox: inbox,
                reads.budget
            )
        }
        let limit = core.maxObjectsInGet
        let all = try inbox.ids(filter: InboxFilter(), isAscending: false, offset: 0, limit: limit + 1)
        guard all.count <= limit else { throw tooMany }
        return try Self.answer(all, named: all.map(\.text), fields: prepared.fields, inbox: inbox, reads.budget)
    }

    private static func fields(_ properties: [String]) throws(MethodError) -> [MessageField] {
        var fields: [MessageField] = []
        for property in properties {
            guard let field = MessageField(rawValue: property) else {
                throw .invalidArguments("/properties has a name that isn't a property of messages")
            }
            fields.append(field)
        }
        return fields
    }

    /// Returns the arguments of the answer to an `InboxMessage/get`, as JSON.
    ///
    /// - Parameters:
    ///   - ids: The ids, nil for a name that can't be an id of a message.
    ///   - names: The requested ids.
    private static func answer(
        _ ids: [MessageID?],
        named names: [String],
        fields: [MessageField]?,
        inbox: PersonInbox,
        _ budget: RequestBudget
    ) throws -> [UInt8] {
        try budget.count(rows: ids.count)
        let maxSize = budget.bytesLeft
        var isFound = Array(repeating: false, count: ids.count)
        let state = try inbox.queuedState()
        var bytes: [UInt8] = []
        try inbox.forEachMessage(of: ids) { index, message, content in
            isFound[index] = true
            if bytes.isEmpty { bytes = head(inbox.person, try state.value()) } else { bytes.append(UInt8(ascii: ",")) }
            if let fields {
                try message.write(content, only: fields, to: &bytes)
            } else {
                message.write(content, to: &bytes)
            }
            guard bytes.count <= maxSize else { throw budget.tooLarge }
        }
        if bytes.isEmpty { bytes = head(inbox.person, try state.value()) }
        return bytes + tail(notFound: zip(names, isFound).filter { !$1 }.map(\.0))
    }

    private static func head(_ person: Person, _ state: PersonState) -> [UInt8] {
        Array(#"{"accountId":"\#(person.account)","state":"\#(state.text)","list":["#.utf8)
    }

    private static func tail(notFound: [String]) -> [UInt8] {
        Array(#"],"notFound":"#.utf8) + JSON(notFound).utf8 + [UInt8(ascii: "}")]
    }
}
