import Foundation
import Groundwork
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct LogTests {
    @Test func `requests are logged without their content`() async throws {
        try await withFolder { folder in
            let log = RecordedLog()
            let server = try await TestServer.start(
                file: folder.appending(path: "inbox.sqlite"),
                clock: ManualClock(),
                logger: log.logger
            )
            let id = try await server.send(to: ["person": "secret-person"], ["title": "secret-title"])
            let device = try await server.device(of: "secret-person")
            try await device.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            _ = try await server.rest(
                "POST",
                "/v1/messages",
                ["to": ["person": "secret-person"], "message": ["secret-field": 1]]
            )
            _ = try await server.rest("GET", "/v1/messages/secret-id")
            _ = try await server.rest("GET", "/secret-path")
            try await server.stop()

            let text = log.lines.joined(separator: "\n")
            #expect(text.contains("/v1/people/{id}/tokens"))
            #expect(text.contains("201"))
            #expect(!text.contains("secret"))
            #expect(!text.contains(device.token))
            #expect(!text.contains(device.account))
            #expect(!text.contains(TestServer.adminKey))
        }
    }

    @Test func `descriptions hide the admin key`() {
        let configuration = InboxServerConfiguration(database: URL(filePath: "/tmp/x"), adminKey: "secret")
        #expect(!String(reflecting: configuration).contains("secret"))
        #expect(!String(reflecting: InboxServer(configuration: configuration)).contains("secret"))
    }
}
