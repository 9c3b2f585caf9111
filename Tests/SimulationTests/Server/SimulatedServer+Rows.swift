import Foundation
import Groundwork
import InboxClient
import InboxModel
import JMAP

@testable import InboxServer
@testable import InboxService

extension SimulatedServer {
    /// Returns the person's stored values that aren't null.
    func personalValues(of person: String) async throws -> [FieldPath: FieldValue] {
        try await storage.read { reading in
            let names = MessageField.personal.map(\.rawValue)
            let rows = try reading.db.rows(
                """
                SELECT message, \(names.joined(separator: ", ")) FROM delivery
                WHERE person = (SELECT id FROM person WHERE name = ?)
                """,
                [person]
            )
            var values: [FieldPath: FieldValue] = [:]
            for row in rows {
                let id = MessageID(rawValue: row[0]).text
                for (place, name) in names.enumerated() {
                    let milliseconds: Int? = row[1 + place]
                    guard milliseconds != nil else { continue }
                    values[FieldPath(id: id, field: name)] = FieldValue(milliseconds: milliseconds)
                }
            }
            return values
        }
    }

    /// Returns the person's stored clicks.
    func clicks(of person: String) async throws -> [EventLedger.Click] {
        try await storage.read { reading in
            let clicks: [String] = try reading.db.values(
                "SELECT data FROM event WHERE person = (SELECT id FROM person WHERE name = ?)",
                [person]
            )
            return try clicks.compactMap { EventLedger.Click(try JSON(parsing: $0.utf8)) }
        }
    }

    /// Returns the number of sent messages, including recalled ones.
    func sentCount() async throws -> Int {
        try await storage.read { reading in try reading.db.value("SELECT count(*) FROM message") ?? 0 }
    }

    /// Returns a person's messages, fetched as by a plain client: the ids by a query, then the records.
    func messages(of person: String, chunk: Int) async throws -> [String: Message] {
        let token = try await token(for: person)
        let session = try await json(TransportRequest(url: Self.url.appendingPathComponent(".well-known/jmap")), token)
        let account = session["primaryAccounts"]?[MessageCapability.uri] ?? .null
        var ids = try await call("query", ["accountId": account], token)["ids"]?.arrayValue ?? []
        var messages: [String: Message] = [:]
        while !ids.isEmpty {
            let answer = try await call("get", ["accountId": account, "ids": .array(Array(ids.prefix(chunk)))], token)
            for record in answer["list"]?.arrayValue ?? [] {
                let message = try Message(json: record)
                messages[message.id] = message
            }
            ids = Array(ids.dropFirst(chunk))
        }
        return messages
    }

    /// Returns the server's counts of a person's inbox.
    func counts(of person: String) async throws -> [CountedPart: MessageCounts] {
        let token = try await token(for: person)
        let session = try await json(TransportRequest(url: Self.url.appendingPathComponent(".well-known/jmap")), token)
        let account = session["primaryAccounts"]?[MessageCapability.uri] ?? .null
        var counts = Dictionary(uniqueKeysWithValues: CountedPart.all.map { ($0, MessageCounts()) })
        for bucket in try await call("counts", ["accountId": account], token)["list"]?.arrayValue ?? [] {
            func number(_ name: String) -> Int { bucket[name]?.intValue ?? 0 }
            for (part, earlier) in counts
            where part.contains(bucket["surface"]?.stringValue ?? "", bucket["category"]?.stringValue) {
                var sum = earlier
                sum.total += number("total")
                sum.unread += number("unread")
                sum.unseen += number("unseen")
                sum.snoozed += number("snoozed")
                sum.archived += number("archived")
                counts[part] = sum
            }
        }
        return counts
    }

    private func call(_ method: String, _ arguments: JSON, _ token: String) async throws -> JSON {
        let body: JSON = [
            "using": JSON([CoreCapability.uri, MessageCapability.uri]),
            "methodCalls": [[.string("\(MessageCapability.messageType)/\(method)"), arguments, "0"]],
        ]
        let request = TransportRequest(
            method: "POST",
            url: Self.url.appendingPathComponent("jmap/api"),
            headers: ["Content-Type": "application/json"],
            body: body.utf8
        )
        return try await json(request, token)["methodResponses"]?.arrayValue?.first?.arrayValue?[1] ?? .null
    }

    private func json(_ request: TransportRequest, _ token: String) async throws -> JSON {
        var request = request
        request.headers["Authorization"] = "Bearer \(token)"
        return try JSON(parsing: try await answer(request).body)
    }
}
