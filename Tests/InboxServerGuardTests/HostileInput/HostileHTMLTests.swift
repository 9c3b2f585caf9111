import Groundwork
import HTMLInputs
import Testing

@testable import InboxServer
@testable import InboxService

/// Hostile HTML in messages: devices receive what was sent, and the page shows it cleaned.
@Suite(.timeLimit(.minutes(10))) struct HostileHTMLTests {
    @Test func `devices receive hostile HTML as it was sent, and the page cleans it`() async throws {
        try await withServer { server in
            let inputs = Attacks.all
            let messages = inputs.map { html -> JSON in ["to": ["person": "ann"], "message": ["html": .string(html)]] }
            let sent = try await server.rest("POST", "/v1/messages", .array(messages))
            let ids = sent.json.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            try #require(sent.status == 201 && ids.count == inputs.count)

            let browser = try await Browser.signedIn("ann", on: server)
            for (index, id) in ids.enumerated() where index % 10 == 0 {
                let shown = try await browser.get("/inbox/messages/\(id)/html").text
                #expect(shown.contains("content=\"HTMLCleaning ") && !shown.contains("<script"), "\(inputs[index])")
            }

            // After the page has shown them.
            let device = try await server.device(of: "ann")
            var received: [String: String] = [:]
            for start in stride(from: 0, to: ids.count, by: 100) {
                let part = ids[start..<min(start + 100, ids.count)]
                let answer = try await device.call("get", ["ids": JSON(Array(part)), "properties": ["html"]])
                for message in answer["list"]?.arrayValue ?? [] {
                    received[message["id"]?.stringValue ?? ""] = message["html"]?.stringValue
                }
            }
            for (id, html) in zip(ids, inputs) {
                #expect(received[id].map { Array($0.utf8) } == Array(html.utf8), "\(html)")
            }
        }
    }
}
