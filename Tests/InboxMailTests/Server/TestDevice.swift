import Foundation
import Groundwork
import InboxMail
import RunningMailServer
import Testing

/// A person's device with a store in its own folder.
final class TestDevice: Sendable {
    let mail: Mail
    let link: FaultyTransport
    let directory: URL

    init(
        _ server: MailServer,
        user: String = "alice",
        account: String? = nil,
        directory: URL? = nil,
        at url: URL? = nil,
        scope: MailScope = .everything,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws {
        let folder = directory ?? FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID())")
        self.directory = folder
        let link = FaultyTransport()
        self.link = link
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.transport = link
        configure(&configuration)
        let password = server.users[user]?.password ?? ""
        mail = try await Mail.open(
            server: url ?? server.url,
            credentials: .basic(user: user) { password },
            account: account,
            directory: folder,
            scope: scope,
            configuration: configuration
        )
    }

    /// Closes the device's mail and opens it again.
    func reopened(
        _ server: MailServer,
        scope: MailScope = .everything,
        configure: (inout MailConfiguration) -> Void = { _ in }
    ) async throws -> TestDevice {
        await mail.close()
        return try await TestDevice(server, directory: directory, scope: scope, configure: configure)
    }

    func end() async {
        await mail.close()
        try? FileManager.default.removeItem(at: directory)
    }
}

/// The system's transport, in which requests and answers can be lost.
final class FaultyTransport: Transport {
    enum Fault: Sendable {
        case losesRequest, losesAnswer, answerIsTooLarge
    }

    private let inner = URLSessionTransport()
    // Guarded by the lock: the test sets it, and requests read it.
    private let state = Locked<State>(State())

    private struct State {
        var fault: (@Sendable (_ request: String, _ number: Int) -> Fault?)?
        var log: [String] = []
        var rewrite: (@Sendable (TransportRequest) -> TransportRequest)?
        var rewriteAnswer: (@Sendable (TransportRequest, TransportResponse) -> TransportResponse)?
        var cut: Int?
        var beforeSending: (@Sendable (_ request: String) async throws -> Void)?
    }

    /// Runs an action before each request is sent.
    func beforeSending(_ action: (@Sendable (_ request: String) async throws -> Void)?) {
        state.withLock { $0.beforeSending = action }
    }

    /// Changes requests before they are sent.
    func rewrite(_ rewrite: (@Sendable (TransportRequest) -> TransportRequest)?) {
        state.withLock { $0.rewrite = rewrite }
    }

    /// Changes answers before they arrive.
    func rewriteAnswer(_ rewrite: (@Sendable (TransportRequest, TransportResponse) -> TransportResponse)?) {
        state.withLock { $0.rewriteAnswer = rewrite }
    }

    /// The bodies of the requests so far. A fault may depend on them.
    var log: [String] { state.withLock { $0.log } }

    func fail(_ fault: (@Sendable (_ request: String, _ number: Int) -> Fault?)?) {
        state.withLock { $0.fault = fault }
    }

    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        let fault = state.withLock { state in
            state.log.append(text)
            return state.fault?(text, state.log.count)
        }
        if case .losesRequest = fault { throw TransportError.unreachable("lost") }
        let (rewrite, rewriteAnswer, beforeSending) = state.withLock {
            ($0.rewrite, $0.rewriteAnswer, $0.beforeSending)
        }
        try await beforeSending?(text)
        let response = try await inner.send(rewrite?(request) ?? request, maxBytes: maxBytes)
        if case .losesAnswer = fault { throw TransportError.unreachable("lost") }
        if case .answerIsTooLarge = fault { throw TransportError.tooLarge(limit: maxBytes) }
        return rewriteAnswer?(request, response) ?? response
    }

    /// Cuts streams after a number of bytes.
    func cutStreams(after bytes: Int?) { state.withLock { $0.cut = bytes } }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        let stream = try await inner.stream(request)
        guard let cut = state.withLock({ $0.cut }) else { return stream }
        let body = AsyncThrowingStream<[UInt8], any Error> { pieces in
            let reading = Task {
                var rest = cut
                for try await piece in stream.body where rest > 0 {
                    pieces.yield(Array(piece.prefix(rest)))
                    rest -= piece.count
                    if rest <= 0 { break }
                }
                pieces.finish(throwing: TransportError.unreachable("cut"))
            }
            pieces.onTermination = { _ in reading.cancel() }
        }
        return TransportStream(status: stream.status, headers: stream.headers, body: body)
    }
}

extension MailServer {
    /// Returns the server's mails by id.
    func emails(user: String = "alice") async throws -> [String: JSON] {
        var ids: [String] = []
        while true {
            let page = try await jmap("Email/query", ["position": JSON(ids.count), "limit": 1_000], user: user)
            let new = page["ids"]?.arrayValue?.compactMap(\.stringValue) ?? []
            if new.isEmpty { break }
            ids += new
        }
        var found: [String: JSON] = [:]
        let properties: JSON = [
            "id", "blobId", "threadId", "mailboxIds", "keywords", "subject", "receivedAt", "sentAt", "preview",
            "hasAttachment", "size", "from", "to", "cc", "bcc", "replyTo", "messageId", "inReplyTo", "references",
        ]
        // Within the limits of a server.
        for start in stride(from: 0, to: ids.count, by: 20) {
            let some = JSON(ids[start..<min(start + 20, ids.count)])
            let answer = try await jmap("Email/get", ["ids": some, "properties": properties], user: user)
            for json in answer["list"]?.arrayValue ?? [] { found[json["id"]?.stringValue ?? ""] = json }
        }
        return found
    }

    /// Returns the id of the mailbox with a role.
    func mailbox(_ role: String, user: String = "alice") async throws -> String {
        let answer = try await jmap("Mailbox/get", ["ids": .null], user: user)
        let found = answer["list"]?.arrayValue?.first { $0["role"]?.stringValue == role }
        return found?["id"]?.stringValue ?? ""
    }
}

extension TestDevice {
    /// Syncs, loses the network after a number of requests for mails, and restores it.
    func interruptSync(afterGets limit: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let gets = Locked(0)
        link.fail { request, _ in
            guard request.contains("Email/get"), request.contains("\"preview\""), !request.contains("\"ids\":[]")
            else { return nil }
            return gets.withLock { count in
                count += 1
                return count > limit ? .losesRequest : nil
            }
        }
        await #expect(throws: InboxError.self, sourceLocation: sourceLocation) { try await mail.sync() }
        link.fail(nil)
    }

    /// Expects that the device has exactly the server's data, field by field.
    ///
    /// - Parameter areCounted: Whether the mailboxes' counts must equal the server's. Mailboxes are fetched before
    ///   mails, so the counts of mails that arrive during a sync follow with the next one.
    func expectAgreement(
        with server: MailServer,
        _ comment: Comment? = nil,
        areCounted: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let remote = try await server.emails()
        let local = try await mail.messages()
        #expect(Set(local.map(\.id)) == Set(remote.keys), comment, sourceLocation: sourceLocation)
        for message in local {
            guard let json = remote[message.id] else { continue }
            let different = message.differences(from: json)
            #expect(
                different.isEmpty,
                "\(different) of \(message) differ from \(json) \(comment?.rawValue ?? "")",
                sourceLocation: sourceLocation
            )
        }
        let boxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
        let mailboxes = Dictionary(uniqueKeysWithValues: try await mail.mailboxes().map { ($0.id, $0) })
        #expect(Set(mailboxes.keys) == Set(boxes.compactMap { $0["id"]?.stringValue }), sourceLocation: sourceLocation)
        for json in boxes {
            guard let mailbox = mailboxes[json["id"]?.stringValue ?? ""] else { continue }
            let different = mailbox.differences(from: json, areCounted: areCounted)
            #expect(
                different.isEmpty,
                "\(different) of \(mailbox) differ from \(json) \(comment?.rawValue ?? "")",
                sourceLocation: sourceLocation
            )
        }
        let threads = try await mail.threads()
        #expect(Set(threads.map(\.id)) == Set(local.map(\.threadID)), comment, sourceLocation: sourceLocation)
        #expect(threads.flatMap(\.messageIDs).count == local.count, comment, sourceLocation: sourceLocation)
        let counts = try await mail.counts()
        #expect(counts.total == threads.count, comment, sourceLocation: sourceLocation)
        #expect(counts.unread == threads.count(where: \.isUnread), comment, sourceLocation: sourceLocation)
        #expect(
            counts.unreadInInbox == threads.count { $0.isUnread && $0.isInInbox },
            comment,
            sourceLocation: sourceLocation
        )
        #expect(mail.latestCounts == counts, comment, sourceLocation: sourceLocation)
    }
}
