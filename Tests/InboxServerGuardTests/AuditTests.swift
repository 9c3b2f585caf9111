import Eventually
import Foundation
import GRDB
import Groundwork
import InboxModel
import Testing

@testable import InboxServer
@testable import InboxService

/// The audit log: the actor and the action on keys, tokens and people, without contents.
@Suite(.timeLimit(.minutes(10))) struct AuditTests {
    private func entries(_ server: TestServer, _ query: String = "") async throws -> [JSON] {
        let answer = try await server.rest("GET", "/v1/audit?limit=1000\(query)")
        #expect(answer.status == 200)
        return answer.json["entries"]?.arrayValue ?? []
    }

    private func kinds(_ entries: [JSON]) -> [String] { entries.compactMap { $0["kind"]?.stringValue } }

    /// Every route with an API key that changes something, with its audit entry; nil for routes whose effects are
    /// visible in the inboxes themselves.
    private static let routes: [(route: String, path: String, body: JSON?, kind: AuditKind?)] = [
        ("POST /v1/messages", "", nil, nil), ("PUT /v1/messages/{id}", "", nil, nil),
        ("PATCH /v1/messages/{id}", "", nil, nil), ("DELETE /v1/messages/{id}", "", nil, nil),
        ("PUT /v1/people/{id}", "", nil, nil), ("PATCH /v1/people/{id}/messages/{message}", "", nil, nil),
        ("DELETE /v1/people/{id}/messages/{message}", "", nil, nil), ("POST /v1/people/{id}/tokens", "", nil, nil),
        ("PUT /v1/surfaces/{id}", "", nil, nil), ("DELETE /v1/surfaces/{id}", "", nil, nil),
        ("POST /v1/webhooks", "", nil, nil), ("PUT /v1/webhooks/{id}", "", nil, nil),
        ("DELETE /v1/webhooks/{id}", "", nil, nil), ("DELETE /v1/webhooks/{id}/dead-letters/{event}", "", nil, nil),
        ("POST /v1/webhooks/{id}/dead-letters/{event}/retry", "", nil, nil),
        ("POST /v1/webhooks/{id}/rotate", "/v1/webhooks/w1/rotate", nil, .webhookSecretRotated),
        ("POST /v1/keys", "/v1/keys", ["name": "x", "scopes": ["tokens"]], .keyCreated),
        ("DELETE /v1/keys/{id}", "/v1/keys/k2", nil, .keyRevoked),
        ("POST /v1/signing-key/rotate", "/v1/signing-key/rotate", nil, .signingKeyRotated),
        (
            "POST /v1/import/zeta", "/v1/import/zeta",
            ["person": "ann", "messages": [["messageId": "x", "title": "secret-title"]]], .messagesImported
        ),
        (
            "POST /v1/import/bloomreach", "/v1/import/bloomreach",
            ["person": "ann", "messages": [["id": "x", "type": "push"]]], .messagesImported
        ),
        (
            "POST /v1/import/adobe", "/v1/import/adobe", ["person": "ann", "propositions": [["id": "x"]]],
            .messagesImported
        ),
        ("GET /v1/people/{id}/export", "/v1/people/ann/export", nil, .personExported),
        ("DELETE /v1/people/{id}/tokens", "/v1/people/ann/tokens", nil, .tokensRevoked),
        ("DELETE /v1/people/{id}", "/v1/people/ann", nil, .personErased),
    ]

    @Test func `every audited route adds an entry without message texts or secrets`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            // A new route has to be added to `routes`.
            let known = Set(Self.routes.map(\.route))
            for operation in OpenAPI.operations where operation.scope != nil && operation.method != .get {
                let route = "\(operation.method.rawValue.uppercased()) \(operation.path)"
                #expect(known.contains(route), "\(route) has to say what it leaves")
            }
            _ = try await server.addWebhook("https://hooks.example/x")
            try await server.send(to: ["person": "ann"], ["title": "secret-title"])
            let scopes: JSON = JSON(Scope.allCases.map(\.rawValue))
            let made = try await server.rest("POST", "/v1/keys", ["name": "secret-name", "scopes": scopes])
            let key = try #require(made.json["key"]?.stringValue)
            for (route, path, body, kind) in Self.routes {
                guard let kind else { continue }
                clock.advance(by: 1)
                let method = String(route.prefix { $0 != " " })
                // The setup key revokes another key, so that the test's own stays valid.
                let headers = kind == .keyRevoked ? [:] : ["Authorization": "Bearer \(key)"]
                if kind == .keyRevoked {
                    let other = try await server.rest("POST", "/v1/keys", ["name": "y", "scopes": ["tokens"]])
                    let path = "/v1/keys/\(other.json["id"]?.stringValue ?? "")"
                    #expect(try await server.rest(method, path).status == 204)
                } else {
                    #expect(try await server.rest(method, path, body, headers: headers).status < 300, "\(route)")
                }
                let entry = try #require(try await entries(server).first)
                #expect(entry["kind"]?.stringValue == kind.rawValue, "\(route)")
                #expect(entry["by"]?.stringValue == (kind == .keyRevoked ? "k1" : "k2"), "\(route)")
                #expect(entry["at"] == JSON(clock.now), "\(route)")
                let isAboutAnn = [.messagesImported, .personExported, .tokensRevoked].contains(kind)
                #expect(entry["person"]?.stringValue == (isAboutAnn ? "ann" : nil), "\(route)")
            }
            let all = try await entries(server)
            #expect(kinds(all).suffix(1) == ["key.made"], "the setup key's entry")
            #expect(all.last?["by"] == "tool")
            let text = JSON.array(all).description
            for secret in ["secret", key, TestServer.adminKey, "ann"] {
                #expect(!text.contains(secret), "\(secret)")
            }
            let others: Set<AuditKind> = [.databaseRestored, .signedOut, .keyRejected, .tokenRejected]
            #expect(Set(kinds(all)) == Set(Set(AuditKind.allCases).subtracting(others).map(\.rawValue)))
        }
    }

    @Test func `after an erasure, audit entries name the receipt instead of the person`() async throws {
        try await withServer { server in
            try await server.send(to: ["people": ["erase-me", "stays"]])
            for person in ["erase-me", "stays"] {
                #expect(try await server.rest("GET", "/v1/people/\(person)/export").status == 200)
                #expect(try await server.rest("DELETE", "/v1/people/\(person)/tokens").status == 204)
            }
            #expect(try await entries(server, "&person=erase-me").count == 2)
            let export = try await server.rest("GET", "/v1/people/erase-me/export").json
            #expect(export["auditEntries"]?.arrayValue?.count == 3, "including this export")
            #expect(export["tokenEnds"]?.arrayValue == [["at": "2026-05-01T08:00:00Z"]])

            let erasure = try await server.rest("DELETE", "/v1/people/erase-me")
            let receipt = try #require(erasure.json["id"])
            #expect(erasure.json["removed"]?["auditEntries"] == 3)
            #expect(try await entries(server, "&person=erase-me") == [])
            #expect(try await entries(server, "&person=stays").count == 2)
            let linked = try await entries(server).filter { $0["erasure"] == receipt }
            #expect(kinds(linked) == ["person.erased", "person.exported", "tokens.ended", "person.exported"])
            for name in ["", "-wal"] {
                let bytes = (try? Data(contentsOf: URL(filePath: server.file.path + name))) ?? Data()
                #expect(bytes.range(of: Data("erase-me".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func `entries are paged and filtered by kind and time`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            for number in 0..<7 {
                clock.advance(by: 60)
                _ = try await server.rest("DELETE", "/v1/people/p\(number)/tokens")
            }
            _ = try await server.rest("POST", "/v1/signing-key/rotate")
            var people: [String?] = []
            var after = ""
            while true {
                let page = try await server.rest("GET", "/v1/audit?kind=tokens.ended&limit=3" + after).json
                people += page["entries"]?.arrayValue?.map { $0["person"]?.stringValue } ?? []
                guard let next = page["next"]?.stringValue else { break }
                after = "&after=\(next)"
            }
            #expect(people == (0..<7).reversed().map { "p\($0)" })
            let some = try await entries(server, "&since=2026-05-01T08:02:00Z&until=2026-05-01T08:04:00Z")
            #expect(some.map { $0["person"]?.stringValue } == ["p2", "p1"])
            for query in ["kind=x", "limit=0", "after=7", "after=k1", "person=%00", "since=now", "more=1"] {
                #expect(try await server.rest("GET", "/v1/audit?\(query)").status == 400, "\(query)")
            }
            #expect(try await server.rest("GET", "/v1/audit?after=l999").json["entries"] == [])
        }
    }

    @Test func `an entry is deleted after 400 days`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            _ = try await server.rest("DELETE", "/v1/people/old/tokens")
            clock.advance(by: 399 * 86_400)
            _ = try await server.rest("DELETE", "/v1/people/new/tokens")
            #expect(try await entries(server, "&kind=tokens.ended").count == 2)
            clock.advance(by: 86_400)
            let isGone = try await eventually {
                // The next cleanup runs an hour after the last one.
                clock.advance(by: 3_600)
                return try await entries(server, "&kind=tokens.ended").count == 1
            }
            #expect(isGone)
            #expect(try await entries(server).first?["person"] == "new")
        }
    }

    @Test func `failed sign-ins are counted by hour and reason`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            func fail(_ count: Int) async throws {
                for _ in 0..<count {
                    _ = try await server.rest("GET", "/v1/keys", headers: ["Authorization": "Bearer wrong"])
                    _ = try await server.request("GET", "/jmap/api", headers: [:])
                    _ = try await server.request(
                        "GET",
                        "/.well-known/jmap",
                        headers: ["Authorization": "Bearer x"]
                    )
                }
                // A request without credentials isn't an attempt.
                _ = try await server.request("GET", "/v1/keys")
                _ = try await server.request("GET", "/.well-known/jmap")
            }
            func counts() async throws -> [String] {
                try await entries(server).filter { $0["count"] != nil }.map { entry in
                    let texts = ["at", "kind", "reason"].map { entry[$0]?.stringValue ?? "" }
                    return (texts + [entry["count"]?.description ?? ""]).joined(separator: " ")
                }.sorted()
            }
            func isCounted(_ expected: [String]) async throws -> Bool {
                clock.advance(by: 61)
                return try await eventually { try await counts() == expected.sorted() }
            }
            let browser = try await Browser.signedIn("ann", on: server)
            _ = try await browser.post("/inbox/sign-out")
            try await fail(3)
            let first = [
                "2026-05-01T08:00:00Z key.refused wrong 3", "2026-05-01T08:00:00Z token.refused not-a-jwt 3",
                "2026-05-01T08:00:00Z page.signedOut  1",
            ]
            #expect(try await isCounted(first))
            try await fail(2)
            let grown = first.map { $0.replacing(" 3", with: " 5") }
            #expect(try await isCounted(grown))
            clock.advance(by: 3_600)
            try await fail(1)
            let later = ["2026-05-01T09:00:00Z key.refused wrong 1", "2026-05-01T09:00:00Z token.refused not-a-jwt 1"]
            #expect(try await isCounted(grown + later))
        }
    }
}
