import Groundwork
import InboxModel
import JMAP

extension MessageMethods {
    /// `InboxMessage/get` (RFC 8620 §5.1).
    func get(_ arguments: GetArguments, for person: Person) async throws -> [UInt8] {
        try check(arguments.accountID, of: person)
        let fields = try arguments.properties.map { try Self.fields($0) }
        let limit = core.maxObjectsInGet
        let tooMany = MethodError.requestTooLarge("At most \(limit) messages may be asked for in one call.")
        var seen: Set<String> = []
        let asked = arguments.ids?.filter { seen.insert($0).inserted }
        guard asked?.count ?? 0 <= limit else { throw tooMany }

        // Clients ask so for the state, and when a result reference names nothing: with each sync that brings nothing new.
        if asked?.isEmpty ?? false {
            let state = try await people.latestState(of: person)
            return Self.head(person, state) + Self.tail(notFound: [])
        }
        return try await storage.read { db in
            let inbox = Inbox(db: db, person: person)
            var ids = asked
            if ids == nil {
                let all = try inbox.ids(filter: InboxFilter(), isAscending: false, offset: 0, limit: limit + 1)
                guard all.count <= limit else { throw tooMany }
                ids = all.map(\.text)
            }
            return try Self.answer(ids ?? [], fields: fields, inbox: inbox)
        }
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

    private static func answer(_ ids: [String], fields: [MessageField]?, inbox: Inbox) throws -> [UInt8] {
        var notFound: [String] = []
        var bytes = head(inbox.person, try inbox.state())
        var isFirst = true
        for id in ids {
            guard let message = try MessageID(id).flatMap({ try inbox.message($0) }) else {
                notFound.append(id)
                continue
            }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            if let fields {
                try message.write(only: fields, to: &bytes)
            } else {
                message.write(to: &bytes)
            }
            guard bytes.count <= maxAnswerSize else {
                throw MethodError.requestTooLarge(
                    "The answer would have more than \(maxAnswerSize) bytes; ask for fewer."
                )
            }
        }
        return bytes + tail(notFound: notFound)
    }

    private static func head(_ person: Person, _ state: PersonState) -> [UInt8] {
        Array(#"{"accountId":"\#(person.account)","state":"\#(state.text)","list":["#.utf8)
    }

    private static func tail(notFound: [String]) -> [UInt8] {
        Array(#"],"notFound":"#.utf8) + JSON(notFound).utf8 + [UInt8(ascii: "}")]
    }
}
