// Testing.md
import Foundation
import InboxClient
import InboxTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct OrderMessageTests {
    let server = ScriptedServer(person: "alice")
    let clock = ManualClock()

    /// The app's inbox, with this clock and this network, in a folder of its own.
    func openInbox(_ network: ScriptedTransport) async throws -> Inbox {
        var configuration = InboxConfiguration()
        configuration.transport = network
        configuration.clock = clock
        configuration.isLive = false  // it syncs when the test says so
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        return try await Inbox.open(
            server: URL(string: "https://inbox.example.com")!,
            person: server.person,
            directory: folder,
            configuration: configuration
        ) { "token" }
    }

    @Test func `a read without a network is shown at once and sent later`() async throws {
        server.deliver(Message(id: "parcel", title: "Your parcel is here", deliverAt: clock.now))
        let network = server.transport
        let inbox = try await openInbox(network)
        try await inbox.sync()
        network.fail(with: .unreachable)
        try await inbox.markRead("parcel")
        #expect(try await inbox.counts().unread == 0)
        await #expect(throws: InboxError.self) { try await inbox.sync() }
        #expect(server.messages[0].isUnread)
        network.fail(with: nil)
        try await inbox.sync()
        #expect(!server.messages[0].isUnread)
        await inbox.close()
    }

    @Test func `a refused archiving is reverted`() async throws {
        server.deliver(Message(id: "parcel", title: "Your parcel is here", deliverAt: clock.now))
        let inbox = try await openInbox(server.transport)
        try await inbox.sync()
        server.refuse("parcel", with: .forbidden)
        var refused = inbox.refusedActions.makeAsyncIterator()
        try await inbox.archive("parcel")
        try await inbox.sync()
        #expect(await refused.next()?.reason == "forbidden")
        #expect(try await inbox.message(id: "parcel")?.archivedAt == nil)
        await inbox.close()
    }

    @Test func `an offer disappears when it expires`() async throws {
        let end = clock.now.addingTimeInterval(3_600)
        server.deliver(Message(id: "offer", title: "Until noon", deliverAt: clock.now, expiresAt: end))
        let inbox = try await openInbox(server.transport)
        try await inbox.sync()
        #expect(try await inbox.messages().map(\.id) == ["offer"])
        clock.advance(by: 3_600)
        #expect(try await inbox.messages().isEmpty)
        await inbox.close()
    }

    @Test func `an expired token is reported`() async throws {
        let network = server.transport
        let inbox = try await openInbox(network)
        network.fail(with: .tokenRefused(.expired))
        let error = await #expect(throws: InboxError.self) { try await inbox.sync() }
        #expect(error?.tokenRefusal?.code == .expired)
        #expect(inbox.connectionState == .unauthorized(reason: TokenRefusal(.expired)))
        await inbox.close()
    }
}
// end

@Suite(.timeLimit(.minutes(5))) struct TestingPageTests {
    @Test func `the page's example is the one that compiles`() throws {
        let thisFile = URL(fileURLWithPath: #filePath)
        let root = thisFile.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(contentsOf: thisFile, encoding: .utf8)
        let page = try String(contentsOf: root.appendingPathComponent("Documentation/Testing.md"), encoding: .utf8)
        let start = try #require(source.range(of: "// Testing.md\n"))
        let end = try #require(source.range(of: "// end\n"))
        let example = source[start.upperBound..<end.lowerBound]
        #expect(page.contains("```swift\n\(example)```"))
    }

    @Test(arguments: [
        (ScriptedTransport.Fault.unreachable, InboxError.Code.notConnected), (.timedOut, .timedOut),
        (.answerLost, .notConnected), (.status(503), .serverError), (.status(429, retryAfter: 9), .serverError),
        (.tokenRefused(.notYetValid), .unauthorized), (.invalidAnswer, .invalidAnswer),
    ])
    func `each fault has its own error code`(_ fault: ScriptedTransport.Fault, _ code: InboxError.Code) async throws {
        let phone = try await Device(ScriptedServer(person: "alice"))
        phone.transport.fail(with: fault)
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == code)
        #expect(error?.retryAfter == (fault == .status(429, retryAfter: 9) ? 9 : nil))
        if fault == .status(503), case .offline(let reason, _?) = phone.inbox.connectionState {
            #expect(reason.code == .serverError && reason.status == 503)
        }
        phone.transport.fail(with: nil)
        if fault != .status(429, retryAfter: 9) { try await phone.inbox.sync() }
    }
}
