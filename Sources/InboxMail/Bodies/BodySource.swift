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
        let bodies = try await parts(
            of: ids,
            [
                ("properties", ["id", "textBody", "htmlBody", "attachments", "bodyValues"]),
                ("bodyProperties", Self.properties(and: MailBody.contentType)),
                ("fetchTextBodyValues", true), ("fetchHTMLBodyValues", true),
                ("maxBodyValueBytes", JSON(configuration.longestBody)),
            ]
        )
        let budget = configuration.bodyBudget
        try await store.write { writer in
            try writer.keep(bodies, for: reason)
            try writer.listFiles(bodies)
            try writer.dropBodies(over: budget)
        }
    }

    /// Lists the files of mails, without what they say. Mails that the server doesn't have any more are asked about no
    /// longer.
    ///
    /// - Throws: ``SyncError``, ``StoreError``, `CancellationError`.
    func listFiles(_ ids: [String]) async throws {
        let parts = try await parts(
            of: ids,
            [
                ("properties", ["id", "textBody", "htmlBody", "attachments"]),
                ("bodyProperties", Self.properties()),
            ]
        )
        // The mail may have been left meanwhile.
        try Task.checkCancellation()
        try await store.write { writer in
            try writer.listFiles(parts)
            try writer.forgetUnlisted(ids)
        }
    }

    /// What is asked of each part.
    private static func properties(and more: String...) -> JSON {
        JSON(["partId", "blobId", "size", "name", "type", "disposition", "cid"] + more)
    }

    /// Asks for parts of mails.
    private func parts(of ids: [String], _ arguments: [(String, JSON)]) async throws -> [JSONText] {
        let account = try await engine.account(for: .email)
        let call = Invocation(
            "Email/get",
            JSONObject([("accountId", .string(account)), ("ids", JSON(ids))] + arguments),
            callID: "0"
        )
        let request = Request(using: [CoreCapability.uri, MailCapability.mail], methodCalls: [call])
        guard let answer = try await connection.call(request).answer(to: "0") else {
            throw SyncError.malformed("no answer to Email/get")
        }
        guard answer.name != "error" else { throw SyncError.method(MethodError(json: answer.arguments.value)) }
        return answer.arguments["list"]?.elements ?? []
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
