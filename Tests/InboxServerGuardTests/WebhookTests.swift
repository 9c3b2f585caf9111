import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The settings of webhooks: validation and responses.
@Suite(.timeLimit(.minutes(10))) struct WebhookTests {
    @Test func `a webhook's secret is returned only when it is created`() async throws {
        try await withServer { server in
            let made = try await server.rest(
                "POST",
                "/v1/webhooks",
                ["url": "https://example.com/hook", "types": ["event.clicked", "message.*", "event.clicked"]]
            )
            #expect(made.status == 201)
            #expect(made.json["secret"]?.stringValue?.hasPrefix("whsec_") == true)
            let shown: JSON = [
                "id": "w1", "url": "https://example.com/hook", "types": ["event.clicked", "message.*"],
                "enabled": true, "gone": false, "createdAt": "2026-05-01T08:00:00Z", "pending": 0, "deadLetters": 0,
            ]
            #expect(try await server.webhook("w1") == shown)
            #expect(try await server.rest("GET", "/v1/webhooks").json == ["webhooks": [shown]])
            let put = try await server.rest(
                "PUT",
                "/v1/webhooks/w1",
                ["url": "http://localhost:9/x?y=1", "types": ["*"], "enabled": false]
            )
            #expect(put.status == 200)
            #expect(put.json["secret"] == nil)
            #expect(put.json["enabled"] == false)
            #expect(put.json["url"] == "http://localhost:9/x?y=1")
        }
    }

    @Test func `a removed webhook is 404, and its id isn't reused`() async throws {
        try await withServer { server in
            let first = try await server.addWebhook("https://example.com/")
            #expect(try await server.rest("DELETE", "/v1/webhooks/\(first.id)").status == 204)
            #expect(try await server.rest("DELETE", "/v1/webhooks/\(first.id)").status == 404)
            #expect(try await server.rest("GET", "/v1/webhooks/\(first.id)").status == 404)
            #expect(try await server.addWebhook("https://example.com/").id != first.id)
        }
    }

    @Test func `invalid webhook settings are rejected with their pointer`() async throws {
        let cases: [(String, String)] = [
            (#"{}"#, "/url"), (#"{"url":"https://a.example"}"#, "/types"), (#"{"url":7,"types":["*"]}"#, "/url"),
            (#"{"url":"http://a.example/","types":["*"]}"#, "/url"),
            (#"{"url":"ftp://a.example/","types":["*"]}"#, "/url"),
            (#"{"url":"http://127.0.0.1.a.example/","types":["*"]}"#, "/url"),
            (#"{"url":"http://localhost.a.example/","types":["*"]}"#, "/url"),
            (#"{"url":"http://127.0.0.256/","types":["*"]}"#, "/url"),
            (#"{"url":"http://10.0.0.1/","types":["*"]}"#, "/url"),
            (#"{"url":"https://0*","types":["*"]}"#, "/url"),
            (#"{"url":"https://a_b.example/","types":["*"]}"#, "/url"),
            (#"{"url":"https://a..example/","types":["*"]}"#, "/url"),
            (#"{"url":"https://-a.example/","types":["*"]}"#, "/url"),
            (#"{"url":"https://ä.example/","types":["*"]}"#, "/url"),
            (#"{"url":"https://%61.example/","types":["*"]}"#, "/url"),
            (#"{"url":"https://a.example:0/","types":["*"]}"#, "/url"),
            (#"{"url":"https://a.example:65536/","types":["*"]}"#, "/url"),
            (#"{"url":"https://user:pw@a.example/","types":["*"]}"#, "/url"),
            (#"{"url":"https://a.example/#x","types":["*"]}"#, "/url"), (#"{"url":"/hook","types":["*"]}"#, "/url"),
            (#"{"url":"https://a.example/a b","types":["*"]}"#, "/url"), (#"{"url":"https://","types":["*"]}"#, "/url"),
            (#"{"url":"https://a.example/\#(String(repeating: "x", count: 2_048))","types":["*"]}"#, "/url"),
            (#"{"url":"https://a.example","types":[]}"#, "/types"),
            (#"{"url":"https://a.example","types":"*"}"#, "/types"),
            (#"{"url":"https://a.example","types":["event.*","message.opened"]}"#, "/types/1"),
            (#"{"url":"https://a.example","types":["event."]}"#, "/types/0"),
            (#"{"url":"https://a.example","types":["clicked"]}"#, "/types/0"),
            (#"{"url":"https://a.example","types":["*"],"enabled":1}"#, "/enabled"),
            (#"{"url":"https://a.example","types":["*"],"secret":"whsec_x"}"#, "/secret"),
        ]
        try await withServer { server in
            let kept = try await server.addWebhook("https://example.com/")
            for (text, pointer) in cases {
                let body = try JSON(parsing: Array(text.utf8))
                for (method, path) in [("POST", "/v1/webhooks"), ("PUT", "/v1/webhooks/\(kept.id)")] {
                    let answer = try await server.rest(method, path, body)
                    #expect(answer.status == 400, "\(method) \(body)")
                    #expect(answer.json["pointer"]?.stringValue == pointer, "\(method) \(body)")
                }
                let webhooks = try await server.rest("GET", "/v1/webhooks").json["webhooks"]?.arrayValue
                #expect(webhooks?.map { $0["url"] } == ["https://example.com/"], "\(body)")
            }
        }
    }

    @Test func `a valid webhook URL is accepted`() async throws {
        try await withServer { server in
            for url in [
                "http://127.0.0.1:8080/", "http://localhost/", "http://[::1]:1/x", "https://10.0.0.1/",
                "HTTPS://a.example",
            ] {
                await #expect(throws: Never.self, "\(url)") { _ = try await server.addWebhook(url) }
            }
        }
    }

    @Test func `more than 20 webhooks are rejected`() async throws {
        try await withServer { server in
            for _ in 0..<20 { _ = try await server.addWebhook("https://example.com/") }
            let answer = try await server.rest(
                "POST",
                "/v1/webhooks",
                ["url": "https://example.com/", "types": ["*"]]
            )
            #expect(answer.status == 409)
            #expect(answer.json.type == "https://swift-inbox.example/problems/too-many-webhooks")
        }
    }

    @Test func `an unknown webhook is 404, and a wrong key 401`() async throws {
        try await withServer { server in
            let settings: JSON = ["url": "https://example.com/", "types": ["*"]]
            let requests: [(String, String, JSON?)] = [
                ("GET", "", nil), ("PUT", "", settings), ("DELETE", "", nil), ("POST", "/rotate", nil),
                ("GET", "/dead-letters", nil), ("DELETE", "/dead-letters/x", nil),
                ("POST", "/dead-letters/x/retry", nil),
            ]
            for id in ["w1", "w0", "w01", "1", "w-1", "w9223372036854775808", "w%31", "x"] {
                for (method, path, body) in requests {
                    let address = "/v1/webhooks/\(id)\(path)"
                    let unknown = try await server.rest(method, address, body)
                    #expect(unknown.status == 404, "\(method) \(address)")
                    let other = ["Authorization": "Bearer wrong"]
                    let refused = try await server.rest(method, address, body, headers: other)
                    #expect(refused.status == 401, "\(method) \(address)")
                }
            }
        }
    }
}
