package import Foundation
package import Groundwork
import JMAP

/// A mail server in memory, with one account, that follows RFC 8620 and RFC 8621 where real servers deviate: as far as
/// syncing, writing and sending mail need it.
///
/// A request is processed at once and as a whole. ``answer(_:)`` is called by the transports of tests, which lose,
/// delay and repeat requests and answers.
package final class StandardMailServer: Sendable {
    /// A mail that left the server, for one recipient.
    package struct Delivery: Hashable, Sendable {
        package let messageID: String
        package let recipient: String
        package let text: String
        /// Whether the recipient sees the hidden ones.
        package let showsBcc: Bool
        /// The sender of the envelope, and the identity.
        package let mailFrom, identityID: String
    }

    /// What the server deviates in, or refuses, as set.
    package struct Behaviour: Sendable {
        /// Whether `Email/query` can filter by header fields.
        package var searchesHeaders = true
        /// Whether `Email/query` can filter by texts, and `SearchSnippet/get` marks them.
        package var searchesTexts = false
        /// Returns the error in place of a change of a mail; nil to accept it.
        package var refusesChange: @Sendable (_ mail: String) -> JSON? = { _ in nil }
        /// Returns the error in place of the removal of a mail; nil to accept it.
        package var refusesRemoval: @Sendable (_ mail: String) -> JSON? = { _ in nil }
        /// Returns the error in place of the creation of a mail, of its `Email` object; nil to accept it.
        package var refusesCreation: @Sendable (_ mail: JSON) -> JSON? = { _ in nil }
        /// Returns the error in place of a submission; nil to accept it.
        package var refusal: @Sendable (_ recipients: [String]) -> JSON? = { _ in nil }
        /// The type of the error in place of all submissions of a request; nil to look at each.
        package var submissionError: String?
        /// The extensions of SMTP that the session states.
        package var submissionExtensions: JSON = .object(JSONObject())
        /// Returns the files that the server says it has lost, of those of a mail that is created; nil for what is so.
        package var lostFiles: (@Sendable (_ blobs: [String]) -> [String])?
        /// Whether the files of a mail have blobs of their own, which end with it.
        package var endsPartBlobs = false
        /// The largest text of a part that the server shows, in bytes; nil for any.
        package var maxBodyValue: Int?
        /// The largest file, in bytes. Larger ones are refused with a status of 413.
        package var maxUpload = 50_000_000
        /// The largest file as the session states it, in bytes.
        package var maxSizeUpload: JSON = 50_000_000
        /// The identities.
        package var identities: [JSON] = [["id": "i1", "name": "Alice", "email": .string(StandardMailServer.user)]]
        /// The type of the error in place of the identities; nil for none.
        package var identityError: String?
        /// The type of the error in place of the mailboxes; nil for none.
        package var mailboxError: String?
        /// The largest mail, in bytes.
        package var maxMailSize = 50_000_000
        /// Whether a request ends after that many calls, with a status of 503 and without an answer to any.
        package var dies: Int?
        /// Whether the sent mail stays a draft after its submission (`onSuccessUpdateEmail` isn't carried out).
        package var ignoresSuccessUpdate = false
        /// The largest number of mailboxes of one mail; nil for any.
        package var maxMailboxes: Int?
        /// Whether submissions can be looked up.
        package var keepsSubmissions = true
        /// The longest time for which mails are held, in seconds; 0 if none are (RFC 8621, section 1.3.2).
        package var maxDelayedSend = 0
        /// Whether held mails are sent at their time. Otherwise they stay pending.
        package var sendsHeld = true
        /// The `deliveryStatus` of all submissions.
        package var deliveryStatus: JSON = .null
        /// Whether mails that are to be held are sent at once.
        package var ignoresHold = false
        /// Whether submissions are removed once they are sent or cancelled, as by Cyrus.
        package var removesEndedSubmissions = false
        /// Whether answers to method calls have the header field `Date`.
        package var statesDate = false
        /// Returns the error in place of a request to cancel; nil to accept it.
        package var refusesCancelling: @Sendable () -> JSON? = { nil }
        /// The roles of the mailboxes.
        package var roles = ["inbox", "archive", "drafts", "sent", "trash", "junk"]

        package init() {}
    }

    struct Mail {
        var properties: JSONObject
        var keywords: Set<String>
        var mailboxes: Set<String>
        var createdAt, updatedAt: Int
        var values: JSONObject
        /// The blobs that end with it.
        var partBlobs: [String]
    }

    struct State {
        var behaviour = Behaviour()
        var sequence = 0
        /// The number of the last change of the mails.
        var modification = 1
        /// The number of the last change of the identities.
        var identitiesModification = 1
        /// Changes until this one are forgotten.
        var forgottenUntil = 0
        var mails: [String: Mail] = [:]
        var destroyed: [(id: String, at: Int)] = []
        var blobs: [String: [UInt8]] = [:]
        var submissions: [(id: String, emailID: String, sentAt: Date)] = []
        /// The submissions that aren't sent, or won't be, by their ids.
        var held: [String: Held] = [:]
        /// The submissions that were removed.
        var removedSubmissions: Set<String> = []
        /// Those of them that clients see among the changes.
        var reportedRemovals: [String] = []
        /// The number of changes of submissions, besides those that create them.
        var submissionUpdates = 0
        var deliveries: [Delivery] = []
        var requestCount = 0
        /// The records of types that aren't mail, by name.
        var records: [String: Records] = [:]

        /// The state of the session, which depends on its capabilities.
        var session: String { (["s1"] + Set(records.values.map(\.capability)).sorted()).joined(separator: " ") }
    }

    package static let url = URL(string: "https://mail.example.com")!
    package static let user = "alice@example.com"
    static let account = "a1"

    let clock: any WallClock
    // Guarded by the lock: each request is processed within it.
    let state = Locked(State())

    package init(clock: any WallClock) { self.clock = clock }

    /// The mails that left the server, in order.
    package var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    /// The number of requests with method calls so far.
    package var requestCount: Int { state.withLock { $0.requestCount } }

    /// Changes what the server deviates in.
    package func behave(_ change: @Sendable (inout Behaviour) -> Void) {
        state.withLock { state in
            let identities = state.behaviour.identities
            change(&state.behaviour)
            guard state.behaviour.identities != identities else { return }
            state.modification += 1
            state.identitiesModification = state.modification
        }
    }

    /// Returns the mails in a mailbox, with their properties, in order of their creation.
    package func mails(in role: String) -> [JSON] {
        state.withLock { state in
            state.mails.values.filter { $0.mailboxes.contains(role) }.sorted { $0.createdAt < $1.createdAt }
                .map { state.json($0) }
        }
    }

    /// Forgets the history of changes, so that all devices sync in full.
    package func forgetChanges() { state.withLock { $0.forgottenUntil = $0.modification } }

    /// Removes the bytes of files that no mail has.
    package func removeUnusedBlobs() {
        state.withLock { state in
            let used = Set(state.mails.values.flatMap { $0.properties["files"]?.arrayValue ?? [] }.map { $0["blobId"] })
            state.blobs = state.blobs.filter { used.contains(.string($0.key)) }
        }
    }

    /// Removes the bytes of one file.
    package func removeBlob(_ bytes: [UInt8]) {
        state.withLock { state in state.blobs = state.blobs.filter { $0.value != bytes } }
    }

    /// Removes all mails of a mailbox, as another client would.
    package func empty(_ role: String) {
        state.withLock { state in
            for (id, mail) in state.mails where mail.mailboxes.contains(role) { state.destroy(id) }
        }
    }

    /// Removes the newest mail of a mailbox, as another client would.
    package func removeNewest(in role: String) {
        state.withLock { state in
            let mails = state.mails.filter { $0.value.mailboxes.contains(role) }
            if let newest = mails.max(by: { $0.value.createdAt < $1.value.createdAt }) { state.destroy(newest.key) }
        }
    }

    /// Moves all mails of a mailbox into another one, as another client would.
    package func move(_ role: String, to other: String) {
        state.withLock { state in
            for (id, mail) in state.mails where mail.mailboxes.contains(role) {
                state.modification += 1
                state.mails[id]?.mailboxes = [other]
                state.mails[id]?.updatedAt = state.modification
            }
        }
    }

    /// Keeps the submission of a mail that was sent a year ago and is gone.
    package func keepEarlierSubmission() {
        state.withLock { $0.submissions.append(("s0", "m0", clock.now.addingTimeInterval(-365 * 86_400))) }
    }

    /// Removes the newest submission, as another client would.
    ///
    /// - Parameter isReported: Whether clients that don't know it see it among the changes: a server may leave it out
    ///   (RFC 8620, section 5.2).
    package func removeNewestSubmission(isReported: Bool) {
        state.withLock { state in
            guard let id = state.submissions.last?.id else { return }
            state.removedSubmissions.insert(id)
            if isReported { state.reportedRemovals.append(id) }
        }
    }

    /// Keeps the bytes of a file that a mail will have.
    ///
    /// - Returns: The id of the bytes.
    package func keep(_ bytes: [UInt8]) -> String { state.withLock { $0.store(bytes) } }

    /// Receives a mail: an `Email` to create (RFC 8621, section 4.6).
    package func deliver(_ json: JSON) {
        state.withLock { state in
            var created: [String: String] = [:]
            _ = try? state.set(JSONObject([("create", ["mail": json])]), &created, clock.now)
        }
    }

    /// Answers a request.
    package func answer(_ request: TransportRequest) -> TransportResponse {
        let path = request.url.path
        func response(_ json: JSON, status: Int = 200) -> TransportResponse {
            TransportResponse(
                status: status,
                headers: ["content-type": "application/json"],
                body: json.utf8,
                url: request.url
            )
        }
        if path == "/.well-known/jmap" { return response(session) }
        if path.hasPrefix("/upload/") {
            let bytes = request.body ?? []
            return state.withLock { state in
                guard bytes.count <= state.behaviour.maxUpload else { return response(.null, status: 413) }
                let id = state.store(bytes)
                return response(
                    [
                        "accountId": .string(Self.account), "blobId": .string(id), "size": JSON(bytes.count),
                        "type": .string(request.headers["content-type"] ?? "application/octet-stream"),
                    ],
                    status: 201
                )
            }
        }
        if path.hasPrefix("/download/") {
            let id = path.split(separator: "/").last.map(String.init) ?? ""
            guard let bytes = state.withLock({ $0.blobs[id] }) else { return response(.null, status: 404) }
            return TransportResponse(status: 200, body: bytes, url: request.url)
        }
        guard path == "/api", let body = request.body, let call = try? Request(parsing: body) else {
            return response(["type": "urn:ietf:params:jmap:error:notRequest"], status: 400)
        }
        return state.withLock { state in
            state.requestCount += 1
            let now = clock.now
            state.sendDue(at: now)
            guard let answers = state.answer(call, now: now) else { return response(.null, status: 503) }
            var answer = response(["methodResponses": .array(answers), "sessionState": .string(state.session)])
            if state.behaviour.statesDate { answer.headers["date"] = HTTPDate.string(from: now) }
            return answer
        }
    }

    private var session: JSON {
        let (maxSizeUpload, extensions, maxDelayedSend) = state.withLock { state in
            (
                state.behaviour.maxSizeUpload, state.behaviour.submissionExtensions,
                state.behaviour.maxDelayedSend
            )
        }
        let core: JSON = [
            "maxSizeUpload": maxSizeUpload, "maxConcurrentUpload": 4, "maxSizeRequest": 10_000_000,
            "maxConcurrentRequests": 4, "maxCallsInRequest": 16, "maxObjectsInGet": 500, "maxObjectsInSet": 500,
            "collationAlgorithms": [],
        ]
        let mail: JSON = [
            "maxMailboxesPerEmail": .null, "maxMailboxDepth": 10, "maxSizeMailboxName": 490,
            "maxSizeAttachmentsPerEmail": 1_000, "emailQuerySortOptions": ["receivedAt"],
            "mayCreateTopLevelMailbox": true,
        ]
        let submission: JSON = [
            "maxDelayedSend": JSON(maxDelayedSend), "submissionExtensions": extensions,
        ]
        let mailURI = "urn:ietf:params:jmap:mail"
        let submissionURI = "urn:ietf:params:jmap:submission"
        let (others, sessionState) = state.withLock { state in
            (Set(state.records.values.map(\.capability)).sorted(), state.session)
        }
        func object(_ members: [(String, JSON)]) -> JSON { .object(JSONObject(members)) }
        return [
            "capabilities": object(
                [
                    (CoreCapability.uri, core), (mailURI, object([])), (submissionURI, object([])),
                ] + others.map { ($0, object([])) }
            ),
            "accounts": object([
                (
                    Self.account,
                    [
                        "name": .string(Self.user), "isPersonal": true, "isReadOnly": false,
                        "accountCapabilities": object(
                            [(mailURI, mail), (submissionURI, submission)] + others.map { ($0, object([])) }
                        ),
                    ]
                )
            ]),
            "primaryAccounts": object(
                ([mailURI, submissionURI] + others).map { ($0, .string(Self.account)) }
            ),
            "username": .string(Self.user), "apiUrl": "/api",
            "downloadUrl": "/download/{accountId}/{blobId}?type={type}&name={name}",
            "uploadUrl": "/upload/{accountId}", "eventSourceUrl": "/events", "state": .string(sessionState),
        ]
    }
}
