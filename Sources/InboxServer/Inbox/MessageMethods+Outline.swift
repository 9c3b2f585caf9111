import Groundwork
import InboxModel
import InboxService
import JMAP

extension MessageMethods {
    /// The maximum number of messages in a response of `outline`.
    static let maxOutlineLimit = 5_000

    /// Answers `InboxMessage/counts`, a method of our own: the numbers of messages in the whole inbox, by surface and
    /// category.
    func counts(_ arguments: CountsArguments, _ reads: PersonReads) async throws -> MethodResult {
        let person = reads.person
        try check(arguments.accountID, of: person)
        let now = clock.now
        return try await reads.read { reading in
            let inbox = reading.inbox(of: person)
            let counts = try inbox.counts(at: now)
            let response: JSON = [
                "accountId": .string(person.account), "state": .string(try inbox.state().text), "list": counts.json,
            ]
            return MethodResult(response.utf8, validUntil: counts.validUntil)
        }
    }

    /// Answers `InboxMessage/outline`, a method of our own: the properties by which lists are filtered and counted, of
    /// every message in the inbox, in pages.
    func outline(_ arguments: OutlineArguments, _ reads: PersonReads) async throws -> [UInt8] {
        let person = reads.person
        try check(arguments.accountID, of: person)
        let fields = try arguments.properties.map { name throws(MethodError) in
            guard let field = MessageField(rawValue: name), OutlineRow.fields.contains(field) else {
                throw .invalidArguments("/properties has a name that isn't a property of outlines")
            }
            return field
        }
        var cursor = OutlineCursor.start
        if let after = arguments.after {
            guard let read = OutlineCursor(after) else {
                throw MethodError.invalidArguments("/after isn't from a response")
            }
            cursor = read
        }
        guard let upTo = ChangesPosition(arguments.upToState)?.reached else { throw MethodError.cannotCalculateChanges }
        let limit = min(arguments.limit ?? Self.maxOutlineLimit, Self.maxOutlineLimit)
        return try await reads.read { [cursor] reading in
            let inbox = reading.inbox(of: person)
            let state = try inbox.state()
            guard upTo.isReachable(from: state) else { throw MethodError.cannotCalculateChanges }
            var bytes = Array(#"{"accountId":"\#(person.account)","state":"\#(state.text)","list":["#.utf8)
            let start = bytes.count
            var rows = 0
            let next = try inbox.walk(upTo: upTo, after: cursor, limit: limit) { row in
                if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
                row.write(fields, to: &bytes)
                rows += 1
                return true
            }
            try reads.budget.count(rows: rows)
            bytes += Array(#"],"after":\#(next.map { "\"\($0.text)\"" } ?? "null")}"#.utf8)
            return bytes
        }
    }
}
