import Foundation
import GRDB
import Groundwork
import JMAP
import Replica

/// Fetches what mails say, and keeps it within the budget.
struct BodySource: Sendable {
    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let configuration: MailConfiguration

    /// Why bodies are fetched.
    enum Reason {
        /// Somebody opens the mail: it counts as used now.
        case reading
        /// Nobody has asked for it: it counts as used when the mail came, and never drives out another.
        case ahead
    }

    /// So few that an answer stays of a size to be kept in memory.
    static let atOnce = 16

    /// Fetches bodies, and drops those that weren't looked at for longest where they are too many.
    ///
    /// - Throws: ``SyncError``, ``StoreError``.
    func fetch(_ ids: [String], for reason: Reason) async throws {
        let account = try await engine.account(for: .email)
        let response = try await connection.call(request(ids, account))
        guard let answer = response.answer(to: "0") else { throw SyncError.malformed("no answer to Email/get") }
        guard answer.name != "error" else {
            throw SyncError.method(MethodError(json: answer.arguments.value))
        }
        let bodies = answer.arguments["list"]?.elements ?? []
        let budget = configuration.bodyBudget
        try await store.write { writer in
            try writer.keep(bodies, for: reason)
            try writer.dropBodies(over: budget)
        }
    }

    private func request(_ ids: [String], _ account: String) -> Request {
        Request(
            using: [CoreCapability.uri, MailCapability.mail],
            methodCalls: [
                Invocation(
                    "Email/get",
                    JSONObject([
                        ("accountId", .string(account)), ("ids", JSON(ids)),
                        ("properties", ["id", "textBody", "htmlBody", "attachments", "bodyValues"]),
                        (
                            "bodyProperties",
                            [
                                "partId", "blobId", "size", "name", "type", "disposition", "cid",
                                .string(MailBody.contentType),
                            ]
                        ),
                        ("fetchTextBodyValues", true), ("fetchHTMLBodyValues", true),
                        ("maxBodyValueBytes", JSON(configuration.longestBody)),
                    ]),
                    callID: "0"
                )
            ]
        )
    }
}

/// What is asked of all bodies that are kept. An index answers it: it happens with each body that comes.
enum KeptBodies {
    /// How many bytes they have.
    static let size = "SELECT ifnull(sum(size), 0) FROM emailBody"
    /// Their ids and bytes, what wasn't looked at for longest first.
    static let byUse = "SELECT id, size FROM emailBody ORDER BY usedAt, rowid"
}

extension StoreWriter {
    fileprivate func keep(_ bodies: [JSONText], for reason: BodySource.Reason) throws {
        for body in bodies {
            guard let id = body["id"]?.value.stringValue,
                let receivedAt = try Int.fetchOne(
                    db.cachedStatement(sql: "SELECT receivedAt FROM email WHERE id = ?"),
                    arguments: [id]
                )
            else { continue }
            let usedAt = if case .ahead = reason { min(receivedAt, now) } else { now }
            let text = String(MailBody(body.value).text.prefix(SearchIndex.longestText))
            try db.execute(sql: "DELETE FROM emailBody WHERE id = ?", arguments: [id])
            try db.execute(
                sql: "INSERT INTO emailBody(id, json, text, size, usedAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, Data(body.bytes), text, body.bytes.count, usedAt]
            )
        }
    }

    /// What was looked at last stays, however large it is.
    fileprivate func dropBodies(over budget: Int) throws {
        var size = try db.number(KeptBodies.size)
        guard size > budget else { return }
        let oldest = try Row.fetchAll(db, sql: KeptBodies.byUse)
        for row in oldest.dropLast() {
            guard size > budget else { return }
            try db.execute(sql: "DELETE FROM emailBody WHERE id = ?", arguments: [row[0] as String])
            size -= row[1]
        }
    }
}
