import Foundation
import GRDB
import Groundwork
import InboxModel
import Logging
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct KeyTests {
    /// Creates a key, and returns its secret and its id.
    private func make(_ body: JSON, _ server: TestServer) async throws -> (key: String, id: String) {
        let answer = try await server.rest("POST", "/v1/keys", body)
        #expect(answer.status == 201)
        return (answer.json["key"]?.stringValue ?? "", answer.json["id"]?.stringValue ?? "")
    }

    private func bearer(_ key: String) -> [String: String] { ["Authorization": "Bearer \(key)"] }

    /// The statuses of creating a token and of listing the keys with a key.
    private func statuses(_ key: String, _ server: TestServer) async throws -> [Int] {
        [
            try await server.rest("POST", "/v1/people/ann/tokens", headers: bearer(key)).status,
            try await server.rest("GET", "/v1/keys", headers: bearer(key)).status,
        ]
    }

    @Test func `a key is shown once, stored as a hash and works for its scopes`() async throws {
        try await withServer { server in
            let answer = try await server.rest("POST", "/v1/keys", ["name": "tokens only", "scopes": ["tokens"]])
            #expect(answer.status == 201)
            let key = try #require(answer.json["key"]?.stringValue)
            #expect(key.hasPrefix("sk_"))
            #expect(answer.json["scopes"] == ["tokens"])
            #expect(try await statuses(key, server) == [201, 403])

            let list = try await server.rest("GET", "/v1/keys")
            #expect(list.json["keys"]?.arrayValue?.map { $0["name"] } == ["admin", "tokens only"])
            #expect(list.json["keys"]?.arrayValue?.first?["scopes"] == JSON(Scope.allCases.map(\.rawValue)))
            #expect(!String(decoding: list.bytes, as: UTF8.self).contains(key))
            for file in ["", "-wal"] where !TestDatabase.isPostgreSQL {
                let stored = try Data(contentsOf: URL(filePath: server.file.path() + file))
                #expect(stored.range(of: Data(key.utf8)) == nil)
            }
        }
    }

    @Test func `past the limit, no key is created until one expires or is revoked`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let short: JSON = ["name": "short", "scopes": ["tokens"], "expiresAt": JSON(clock.now + 3_600)]
            let (_, id) = try await make(short, server)
            try await server.storage().writeTables { db in
                for number in 2..<TooManyKeysError.limit {
                    try db.run(
                        "INSERT INTO apiKey (name, hash, createdAt, scopes) VALUES ('many', ?, 0, '[]')",
                        [Data("\(number)".utf8)]
                    )
                }
            }
            let plain: JSON = ["name": "one more", "scopes": ["tokens"]]
            let refused = try await server.rest("POST", "/v1/keys", plain)
            #expect(refused.status == 409)
            #expect(refused.json.type == "https://swift-inbox.example/problems/too-many-keys")
            clock.advance(by: 3_600)
            let (_, other) = try await make(plain, server)
            #expect(try await server.rest("POST", "/v1/keys", plain).status == 409)
            #expect(try await server.rest("DELETE", "/v1/keys/\(other)").status == 204)
            #expect(try await server.rest("DELETE", "/v1/keys/\(id)").status == 204)
            _ = try await make(plain, server)
        }
    }

    @Test func `a request without the scope is 403, and the problem names the scope`() async throws {
        let routes: [(String, String, Scope)] = [
            ("POST", "/v1/messages", .messages), ("GET", "/v1/messages/m0000000000000", .messages),
            ("PUT", "/v1/messages/m0000000000000", .messages),
            ("DELETE", "/v1/messages/m0000000000000", .messages),
            ("GET", "/v1/messages", .messages), ("PATCH", "/v1/messages/m0000000000000", .messages),
            ("GET", "/v1/people/ann/messages", .people),
            ("PATCH", "/v1/people/ann/messages/m0000000000000", .people),
            ("DELETE", "/v1/people/ann/messages/m0000000000000", .people),
            ("DELETE", "/v1/surfaces/inbox", .surfaces),
            ("POST", "/v1/people/ann/tokens", .tokens), ("GET", "/v1/keys", .keys), ("POST", "/v1/keys", .keys),
            ("DELETE", "/v1/keys/k999", .keys),
        ]
        try await withServer { server in
            for scope in Scope.allCases {
                let others = Scope.allCases.filter { $0 != scope }.map(\.rawValue)
                let (key, _) = try await make(["name": "all but one", "scopes": JSON(others)], server)
                for (method, path, needed) in routes {
                    let body: JSON? = method == "GET" ? nil : [:]
                    let answer = try await server.rest(method, path, body, headers: bearer(key))
                    #expect((answer.status == 403) == (needed == scope), "\(method) \(path)")
                    guard needed == scope else { continue }
                    #expect(answer.json.type == "https://swift-inbox.example/problems/missing-scope", "\(scope)")
                    #expect(answer.json["detail"]?.stringValue?.contains(scope.rawValue) == true, "\(scope)")
                    #expect(
                        answer.header("WWW-Authenticate")?.contains("scope=\"\(scope.rawValue)\"") == true,
                        "\(scope)"
                    )
                }
            }
        }
    }

    @Test func `a revoked key is rejected at once and after a restart`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let first = try await TestServer.start(file: file, clock: ManualClock())
            let (key, id) = try await make(["name": "a", "scopes": ["tokens", "keys"]], first)
            #expect(try await statuses(key, first) == [201, 200])
            #expect(try await first.rest("DELETE", "/v1/keys/\(id)").status == 204)
            #expect(try await statuses(key, first) == [401, 401])
            #expect(try await first.rest("DELETE", "/v1/keys/\(id)").status == 404)
            let listed = try await first.rest("GET", "/v1/keys").json["keys"]?.arrayValue?.last
            #expect(listed?["revokedAt"] == "2026-05-01T08:00:00Z")
            try await first.stop()
            let second = try await TestServer.start(file: file, clock: ManualClock())
            #expect(try await statuses(key, second) == [401, 401])
            try await second.stop()
        }
    }

    @Test func `an expired key is rejected`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let expiresAt: JSON = "2026-05-01T09:00:00Z"
            let (key, _) = try await make(["name": "a", "scopes": ["tokens"], "expiresAt": expiresAt], server)
            clock.advance(by: 3_599)
            #expect(try await statuses(key, server) == [201, 403])
            clock.advance(by: 1)
            #expect(try await statuses(key, server) == [401, 401])
        }
    }

    @Test func `the last lasting key with the keys scope cannot be revoked`() async throws {
        try await withServer { server in
            let expiresAt: JSON = "2026-06-01T00:00:00Z"
            _ = try await make(["name": "others", "scopes": ["messages"]], server)
            _ = try await make(["name": "temporary", "scopes": ["keys"], "expiresAt": expiresAt], server)
            let refused = try await server.rest("DELETE", "/v1/keys/k1")
            #expect(refused.status == 409)
            #expect(refused.json.type == "https://swift-inbox.example/problems/last-key")
            let (key, id) = try await make(["name": "second", "scopes": ["keys"]], server)
            #expect(try await server.rest("DELETE", "/v1/keys/k1").status == 204)
            #expect(try await server.rest("DELETE", "/v1/keys/\(id)", headers: bearer(key)).status == 409)
        }
    }

    @Test func `a key cannot create a key with more scopes than its own`() async throws {
        try await withServer { server in
            let (key, _) = try await make(["name": "a", "scopes": ["keys", "tokens"]], server)
            let body: JSON = ["name": "b", "scopes": ["tokens", "people"]]
            let refused = try await server.rest("POST", "/v1/keys", body, headers: bearer(key))
            #expect(refused.status == 403)
            #expect(refused.json["pointer"] == "/scopes/1")
            let less: JSON = ["name": "b", "scopes": ["tokens"]]
            #expect(try await server.rest("POST", "/v1/keys", less, headers: bearer(key)).status == 201)
        }
    }

    @Test(arguments: [false, true])
    func `a setup key that a call revoked stays revoked at a start with it`(
        byEarlierVersion: Bool
    ) async throws {
        let other = String(repeating: "2", count: 32)
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let first = try await TestServer.start(file: file, clock: ManualClock())
            let (backend, _) = try await make(["name": "second", "scopes": ["keys", "tokens"]], first)
            #expect(try await first.rest("DELETE", "/v1/keys/k1").status == 204)
            #expect(try await statuses(TestServer.adminKey, first) == [401, 401])
            if byEarlierVersion {
                try await first.storage().writeTables { db in
                    try db.run("UPDATE apiKey SET scopes = NULL WHERE id = 1")
                }
            }
            try await first.stop()
            let starts: [(given: String, isOtherSet: Bool)] = [
                (TestServer.adminKey, false), (other, true), (TestServer.adminKey, true), (other, true),
            ]
            for (given, isOtherSet) in starts {
                let log = RecordedLog()
                let server = try await TestServer.start(
                    file: file,
                    clock: ManualClock(),
                    adminKey: given,
                    logger: log.logger
                )
                #expect(try await statuses(TestServer.adminKey, server) == [401, 401])
                #expect(try await statuses(backend, server) == [201, 200])
                #expect(try await statuses(other, server) == (isOtherSet ? [201, 200] : [401, 401]))
                let errors = log.entries.filter { $0.level == .error }.map(\.message)
                let isLogged = errors.contains { $0.contains("setup key was revoked by a call") }
                #expect(isLogged == (given != other))
                try await server.stop()
            }
        }
    }

    @Test func `a weak or unsendable setup key is rejected at startup`() async throws {
        let cases: [String] = [
            "", "short", String(repeating: "a", count: 31), String(repeating: "a ", count: 20),
            String(repeating: "é", count: 40),
        ]
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            for key in cases {
                let error = await #expect(throws: ServerSetupError.self, "\(key)") {
                    _ = try await TestServer.start(file: file, clock: ManualClock(), adminKey: key)
                }
                #expect(error?.description.contains("openssl rand -hex 32") == true, "\(key)")
                #expect(key.isEmpty || error?.description.contains(key) == false, "\(key)")
                #expect(!FileManager.default.fileExists(atPath: file.path), "a mistake makes no database")
            }
            let long = String(repeating: "a", count: 32)
            let right = try await TestServer.start(file: file, clock: ManualClock(), adminKey: long)
            try await right.stop()
        }
    }

    @Test func `a start with the same setup key uses up no number of a key`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            for _ in 1...3 { try await TestServer.start(file: file, clock: ManualClock()).stop() }
            let server = try await TestServer.start(file: file, clock: ManualClock())
            let answer = try await server.rest("POST", "/v1/keys", ["name": "backend", "scopes": ["tokens"]])
            #expect(answer.json["id"]?.stringValue == "k2")
            try await server.stop()
        }
    }

    @Test func `a new setup key revokes the earlier one and keeps the other keys`() async throws {
        // A key that was replaced works again when it is set again.
        let (one, two) = (String(repeating: "1", count: 32), String(repeating: "2", count: 32))
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let first = try await TestServer.start(file: file, clock: ManualClock(), adminKey: nil)
            let made = try #require(first.ready.newAdminKey)
            let body: JSON = ["name": "backend", "scopes": ["tokens", "keys"]]
            let answer = try await first.rest("POST", "/v1/keys", body, headers: bearer(made))
            let backend = try #require(answer.json["key"]?.stringValue)
            try await first.stop()
            let starts: [(given: String?, holds: String, ended: [String])] = [
                (one, one, [made]), (nil, one, [made]), (two, two, [one, made]), (one, one, [two, made]),
            ]
            for (given, holds, ended) in starts {
                let log = RecordedLog()
                let server = try await TestServer.start(
                    file: file,
                    clock: ManualClock(),
                    adminKey: given,
                    logger: log.logger
                )
                #expect(try await statuses(holds, server) == [201, 200])
                #expect(try await statuses(backend, server) == [201, 200])
                for key in ended { #expect(try await statuses(key, server) == [401, 401]) }
                let isSaid = log.lines.contains { $0.contains("the former setup key was revoked") }
                #expect(isSaid == (given != nil))
                try await server.stop()
            }
        }
    }

    @Test func `a key cannot revoke a key with more scopes`() async throws {
        try await withServer { server in
            let (weak, _) = try await make(["name": "a", "scopes": ["keys", "tokens"]], server)
            let (strong, strongID) = try await make(["name": "b", "scopes": ["keys", "people"]], server)
            for id in [strongID, "k1"] {
                let refused = try await server.rest("DELETE", "/v1/keys/\(id)", headers: bearer(weak))
                #expect(refused.status == 403)
                #expect(refused.json["type"] == "https://swift-inbox.example/problems/missing-scope")
            }
            #expect(try await server.rest("GET", "/v1/people", headers: bearer(strong)).status == 200)
            let (_, equal) = try await make(["name": "c", "scopes": ["tokens"]], server)
            #expect(try await server.rest("DELETE", "/v1/keys/\(equal)", headers: bearer(weak)).status == 204)
        }
    }

    @Test func `pages of keys contain each key once`() async throws {
        try await withServer { server in
            for number in 2...7 { _ = try await make(["name": .string("\(number)"), "scopes": ["tokens"]], server) }
            var ids: [JSON?] = []
            var after = ""
            while true {
                let page = try await server.rest("GET", "/v1/keys?limit=3" + after).json
                ids += page["keys"]?.arrayValue?.map { $0["id"] } ?? []
                guard let next = page["next"]?.stringValue else { break }
                after = "&after=\(next)"
            }
            #expect(ids == (1...7).map { .string("k\($0)") })
        }
    }

    @Test func `the last use of a key is listed and stored`() async throws {
        let clock = ManualClock()
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            func listed(_ server: TestServer) async throws -> JSON? {
                try await server.rest("GET", "/v1/keys").json["keys"]?.arrayValue?.last
            }
            let first = try await TestServer.start(file: file, clock: clock)
            let (key, _) = try await make(["name": "a", "scopes": ["tokens"]], first)
            #expect(try await listed(first)?["lastUsedAt"] == nil)
            clock.advance(by: 30)
            _ = try await statuses(key, first)
            #expect(try await listed(first)?["lastUsedAt"] == "2026-05-01T08:00:30Z")
            try await first.stop()
            let second = try await TestServer.start(file: file, clock: clock)
            #expect(try await listed(second)?["lastUsedAt"] == "2026-05-01T08:00:30Z")
            try await second.stop()
        }
    }

    @Test func `an invalid key request is 400 with its pointer`() async throws {
        let cases: [(String, String)] = [
            ("{}", "/name"), (#"{"name":"","scopes":["keys"]}"#, "/name"),
            (#"{"name":"a\nb","scopes":["keys"]}"#, "/name"),
            (#"{"name":"a"}"#, "/scopes"), (#"{"name":"a","scopes":[]}"#, "/scopes"),
            (#"{"name":"a","scopes":["all"]}"#, "/scopes/0"), (#"{"name":"a","scopes":["keys","keys"]}"#, "/scopes/1"),
            (#"{"name":"a","scopes":["keys"],"expiresAt":"2026-05-01T08:00:00Z"}"#, "/expiresAt"),
            (#"{"name":"a","scopes":["keys"],"key":"sk_mine"}"#, "/key"),
        ]
        try await withServer { server in
            for (body, pointer) in cases {
                let answer = try await server.request(
                    "POST",
                    "/v1/keys",
                    body: Array(body.utf8),
                    headers: bearer(TestServer.adminKey)
                )
                #expect(answer.status == 400, "\(body)")
                #expect(answer.json["pointer"]?.stringValue == pointer, "\(body)")
            }
        }
    }

    @Test func `an invalid query of keys is 400`() async throws {
        let cases: [String] = [
            "limit=0", "limit=1001", "limit=x", "limit=1&limit=2", "after=7", "after=k07", "more=1", "after=%FF",
        ]
        try await withServer { server in
            for query in cases {
                let answer = try await server.rest("GET", "/v1/keys?\(query)")
                #expect(answer.status == 400, "\(query)")
            }
        }
    }
}
