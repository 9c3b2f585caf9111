import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Testing

/// The servers to which a token may be sent.
@Suite(.timeLimit(.minutes(5))) struct LoopbackTests {
    @Test(arguments: [
        ("https://inbox.example", true), ("https://10.0.0.1:8080", true), ("http://localhost:8080", true),
        ("http://127.0.0.1", true), ("http://127.255.0.9:1", true), ("http://[::1]:8080", true),
        ("HTTP://LOCALHOST", true), ("http://inbox.example", false), ("http://10.0.0.1", false),
        ("http://127.0.0.1.example", false), ("http://localhost.example", false), ("http://127.0.0.256", false),
        ("http://[::2]", false), ("ftp://127.0.0.1", false), ("http://0.0.0.0", false),
    ])
    func `a server on another machine needs HTTPS`(_ address: String, _ isAllowed: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("loopback-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = InboxConfiguration()
        configuration.isLive = false
        do {
            let server = try #require(URL(string: address))
            let inbox = try await Inbox.open(
                server: server,
                person: "alice",
                directory: folder,
                configuration: configuration
            ) { "token" }
            await inbox.close()
            #expect(isAllowed)
        } catch let error as InboxError {
            #expect(!isAllowed && error.code == .invalidArgument && error.description.contains("https://"))
        }
    }

    /// A local server isn't trusted with other addresses, since the token would be sent there.
    @Test func `a session can't send the token to another machine without HTTPS`() async throws {
        let server = ScriptedServer(person: "alice")
        let phone = try await Device(server, at: URL(string: "http://127.0.0.1:8080")!)
        phone.transport.answer { request in
            var answer = server.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            answer.body = Array(
                text.replacing(/"apiUrl":"[^"]*"/, with: #""apiUrl":"http://evil.example/jmap""#).utf8
            )
            return answer
        }
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .invalidAnswer)
        #expect(phone.transport.requests.allSatisfy { $0.url.host() != "evil.example" })
    }
}
