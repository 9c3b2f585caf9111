import Foundation
import InboxClient
import RawSockets
import Testing

@testable import InboxMail

/// Discovery of the session.
@Suite(.timeLimit(.minutes(10))) struct DiscoveryTests {
    @Test(arguments: ["", "/jmap/session"])
    func `a redirect to another server isn't followed, and the error names its target`(_ path: String) async throws {
        let elsewhere = "https://jmap.elsewhere.example/session"
        let server = try SingleResponseServer(
            response: "HTTP/1.1 302 Found\r\nLocation: \(elsewhere)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("discovery-\(UUID())")
        var configuration = MailConfiguration()
        configuration.isLive = false
        let mail = try await Mail.open(
            server: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")),
            credentials: .basic(user: "alice") { "secret" },
            directory: directory,
            configuration: configuration
        )
        let error = await #expect(throws: InboxError.self) { try await mail.sync() }
        #expect(error?.description.contains("leads to \(elsewhere),") == true)
        await mail.close()
        try FileManager.default.removeItem(at: directory)
    }
}
