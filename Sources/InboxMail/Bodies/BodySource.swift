import Foundation
import Groundwork
import JMAP
import Replica

/// Fetches the bodies and file lists of mails, and keeps the bodies within the budget.
struct BodySource: Sendable {
    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let configuration: MailConfiguration

    /// The reason for a fetch of bodies.
    enum Reason {
        /// The person opens the mail. The body counts as used now.
        case reading
        /// The body is fetched in advance. It counts as used when the mail arrived, so bodies that the person has read
        /// since then are evicted later.
        case prefetch
    }

    /// The number of bodies per request, low enough for a response to be held in memory.
    static let batchSize = 16

    /// Fetches and stores bodies, and drops the least recently used ones beyond the budget.
    ///
    /// - Parameter isWhole: Whether texts of any length are fetched, such as those of drafts: one that is cut would be
    ///   written back cut.
    /// - Throws: ``SyncError``, ``StoreError``.
    func fetch(_ ids: [String], for reason: Reason, isWhole: Bool = false) async throws {
        let bodies = try await bodies(of: ids, isWhole: isWhole)
        let budget = configuration.bodyBudget
        try await store.write { writer in
            try writer.store(bodies, for: reason)
            try writer.listFiles(bodies)
            try writer.dropBodies(over: budget)
        }
    }

    /// Fetches a body without a limit of its length, and doesn't store it.
    ///
    /// - Returns: Nil if the server has no such mail any more.
    /// - Throws: ``SyncError``.
    func whole(_ id: String) async throws -> MailBody? {
        try await bodies(of: [id], isWhole: true).first.map { MailBody($0.value) }
    }

    /// Fetches the lists of the files of mails, and doesn't store them.
    ///
    /// - Returns: The files by the mails' ids, without the mails that the server doesn't have any more.
    /// - Throws: ``SyncError``.
    func files(of ids: [String]) async throws -> [String: [MailFile]] {
        var found: [String: [MailFile]] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.maxLists) {
            for mail in try await lists(Array(ids[start...].prefix(Self.maxLists))).map(\.value) {
                guard let id = mail["id"]?.stringValue else { continue }
                found[id] = MailBody.files(mail).map(\.file)
            }
        }
        return found
    }

    /// Fetches a mail as a file with all that it has, of which nothing is downloaded.
    ///
    /// - Returns: Nil if the server has no such mail any more.
    /// - Throws: ``SyncError``.
    func original(_ id: String, subject: String) async throws -> MailFile? {
        guard let mail = try await parts(of: [id], [("properties", ["id", "blobId", "size"])]).first?.value,
            let blobID = mail["blobId"]
        else { return nil }
        let name = "\(subject.nonEmpty ?? "mail").eml"
        return MailFile([
            "blobId": blobID, "size": mail["size"] ?? 0, "name": .string(name.replacing("/", with: "-")),
            "type": "message/rfc822", "disposition": "attachment",
        ])
    }

    private func bodies(of ids: [String], isWhole: Bool) async throws -> [JSONText] {
        var arguments: [(String, JSON)] = [
            (
                "properties",
                [
                    "id", "textBody", "htmlBody", "attachments", "bodyValues", "sender",
                    .string(MailBody.deliveredToField),
                ]
            ), ("bodyProperties", Self.properties(and: MailBody.contentType)), ("fetchTextBodyValues", true),
            ("fetchHTMLBodyValues", true),
        ]
        // Without it there is no limit but the server's own (RFC 8621, section 4.2). Cyrus 3.6 refuses 0, which means
        // the same.
        if !isWhole { arguments.append(("maxBodyValueBytes", JSON(configuration.maxBodySize))) }
        return try await parts(of: ids, arguments)
    }

    /// Fetches the lists of the files of mails, without their texts. Mails that the server no longer has aren't
    /// requested again.
    ///
    /// - Throws: ``SyncError``, ``StoreError``, `CancellationError`.
    func listFiles(_ ids: [String]) async throws {
        let lists = try await lists(ids)
        // The person may have signed out meanwhile.
        try Task.checkCancellation()
        try await store.write { writer in
            try writer.listFiles(lists)
            try writer.deleteUnlisted(ids)
        }
    }

    /// The number of lists of files per request.
    private static let maxLists = 100

    /// Requests the lists of the files of mails.
    private func lists(_ ids: [String]) async throws -> [JSONText] {
        try await parts(
            of: ids,
            [("properties", ["id", "textBody", "htmlBody", "attachments"]), ("bodyProperties", Self.properties())]
        )
    }

    /// The properties of each part to request.
    private static func properties(and more: String...) -> JSON {
        JSON(["partId", "blobId", "size", "name", "type", "charset", "disposition", "cid"] + more)
    }

    /// Requests the parts of mails.
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

extension SyncError {
    /// Whether the request may succeed for fewer mails, or for others.
    var maySucceedForFewerMails: Bool {
        switch self {
        case .malformed, .method, .transport(.tooLarge): true
        default: false
        }
    }
}
