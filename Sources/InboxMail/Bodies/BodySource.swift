import Foundation
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
        /// The person opens the mail: it counts as used now.
        case reading
        /// It is fetched in advance: it counts as used when the mail arrived, and never evicts another.
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
