import Foundation
import GRDB
import Groundwork
import InboxClient
import JMAP
import Replica

extension Mail {
    /// What a mail says: as it is on this device, else from the server, after which it stays here within the budget.
    ///
    /// - Parameter id: The mail's.
    /// - Throws: `InboxError`: `invalidArgument` where there is no such mail, `notConnected` and others where it isn't here and the server
    ///   can't be asked.
    @concurrent
    public func body(of id: String) async throws -> MailBody {
        if let stored = try await storedBody(of: id) { return stored }
        guard try await message(id: id) != nil else {
            throw InboxError(.invalidArgument, "There is no mail with the id \(id) on this device.")
        }
        try await fetchBodies([id])
        guard let body = try await storedBody(of: id) else {
            throw InboxError(.invalidArgument, "The server has no mail with the id \(id) any more.")
        }
        return body
    }

    /// What several mails say, by their ids, as ``body(of:)``; those that aren't on this device are asked for together.
    ///
    /// - Throws: As ``body(of:)``; a mail that is nowhere is left out.
    @concurrent
    public func bodies(of ids: [String]) async throws -> [String: MailBody] {
        var found: [String: MailBody] = [:]
        for id in ids { found[id] = try await storedBody(of: id) }
        let missing = ids.filter { found[$0] == nil }
        for start in stride(from: 0, to: missing.count, by: Self.bodiesAtOnce) {
            let some = Array(missing[start..<min(start + Self.bodiesAtOnce, missing.count)])
            try await fetchBodies(some)
            for id in some { found[id] = try await storedBody(of: id) }
        }
        return found
    }

    /// So few that an answer stays of a size to be kept in memory.
    private static var bodiesAtOnce: Int { 16 }

    /// What a mail says, as far as it is on this device.
    ///
    /// - Throws: `InboxError`: `storage`, `closed`.
    @concurrent
    public func storedBody(of id: String) async throws -> MailBody? {
        let now = configuration.clock.now.milliseconds
        let found = try await read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT json, usedAt FROM emailBody WHERE id = ?"),
                arguments: [id]
            ).map { row in (text: row[0] as Data, usedAt: row[1] as Int) }
        }
        guard let found, let json = try? JSON(parsing: found.text) else { return nil }
        if now - found.usedAt > Self.useInterval {
            // What is here can be read also where nothing can be written.
            _ = try? await write { writer in
                try writer.db.execute(sql: "UPDATE emailBody SET usedAt = ? WHERE id = ?", arguments: [now, id])
            }
        }
        return MailBody(json)
    }

    /// How exactly it is known when a body was last looked at, in milliseconds.
    private static var useInterval: Int { 3_600_000 }

    /// Fetches bodies, and drops those that weren't looked at for longest where they are too many.
    func fetchBodies(_ ids: [String]) async throws {
        do {
            let account = try await engine.account(for: .email)
            let response = try await connection.call(
                Request(
                    using: [CoreCapability.uri, MailCapability.mail],
                    methodCalls: [
                        Invocation(
                            "Email/get",
                            JSONObject([
                                ("accountId", .string(account)), ("ids", JSON(ids)),
                                ("properties", ["id", "textBody", "htmlBody", "attachments", "bodyValues"]),
                                ("bodyProperties", ["partId", "blobId", "size", "name", "type", "disposition", "cid"]),
                                ("fetchTextBodyValues", true), ("fetchHTMLBodyValues", true),
                                ("maxBodyValueBytes", JSON(configuration.longestBody)),
                            ]),
                            callID: "0"
                        )
                    ]
                )
            )
            guard let answer = response.answer(to: "0") else { throw SyncError.malformed("no answer to Email/get") }
            guard answer.name != "error" else {
                throw SyncError.method(MethodError(json: answer.arguments.value))
            }
            let bodies = answer.arguments["list"]?.elements ?? []
            let budget = configuration.bodyBudget
            try await store.write { writer in
                try writer.keep(bodies)
                try writer.dropBodies(over: budget)
            }
        } catch {
            throw InboxError.wrapping(error)
        }
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
    fileprivate func keep(_ bodies: [JSONText]) throws {
        for body in bodies {
            guard let id = body["id"]?.value.stringValue,
                try db.number("SELECT count(*) FROM email WHERE id = ?", [id]) > 0
            else { continue }
            let text = String(MailBody(body.value).text.prefix(SearchIndex.longestText))
            try db.execute(sql: "DELETE FROM emailBody WHERE id = ?", arguments: [id])
            try db.execute(
                sql: "INSERT INTO emailBody(id, json, text, size, usedAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, Data(body.bytes), text, body.bytes.count, now]
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
