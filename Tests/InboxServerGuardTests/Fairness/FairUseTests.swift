import Eventually
import Foundation
import GRDB
import Groundwork
import InboxModel
import JMAP
import RawSockets
import Testing

@testable import InboxServer
@testable import InboxService

/// What one person may use of a server, and what other people have meanwhile.
@Suite(.timeLimit(.minutes(5))) struct FairUseTests {
    /// A filter that searches the bodies of all messages many times.
    static let slowFilter: JSON = [
        "operator": "OR",
        "conditions": .array(
            (0..<60).map { ["property": "body", "op": "contains", "value": .string("nowhere \($0)")] }
        ),
    ]
    static let slowSort: JSON = [["property": "title", "isAscending": true]]

    /// Sends a person long messages.
    static func fill(_ server: TestServer, _ person: String, count: Int, size: Int = 20_000) async throws {
        let body = String(repeating: "x", count: size)
        for number in 0..<count {
            try await server.send(
                to: ["person": .string(person)],
                ["title": .string("\(number)"), "body": .string(body)]
            )
        }
    }

    private func configure(_ change: @escaping (inout FairUse) -> Void) -> (inout InboxServerConfiguration) -> Void {
        { change(&$0.fairUse) }
    }

    private func request(_ device: Device, _ calls: [JSON]) -> String {
        let body: JSON = [
            "using": [.string(CoreCapability.uri), .string(MessageCapability.uri)], "methodCalls": .array(calls),
        ]
        let bytes = body.utf8
        return "POST /jmap/api HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(device.token)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n\r\n"
            + String(decoding: bytes, as: UTF8.self)
    }

    private func slowRequest(_ device: Device, _ number: Int = 0) -> String {
        request(
            device,
            [
                [
                    "InboxMessage/query",
                    ["accountId": .string(device.account), "filter": Self.slowFilter, "limit": JSON(number + 1)], "0",
                ]
            ]
        )
    }

    @Test(.onlySQLite) func `a slow filter is rejected, and the next request works`() async throws {
        try await withServer(configure: configure { $0.readingTime = 0.25 }) { server in
            let device = try await server.device(of: "ann")
            // Several times as much as can be searched in that time, and a page takes a fraction of it.
            try await Self.fill(server, "ann", count: 300, size: 60_000)
            let filtered = try await device.call("query", ["filter": Self.slowFilter])
            #expect(filtered.type == "unsupportedFilter")
            #expect(filtered["description"]?.stringValue?.contains("longer than 0.25 s") ?? false)
            #expect(try await device.ids().count == 300)
            let ids = try await device.ids(["limit": 5, "filter": ["property": "title", "op": "equal", "value": "7"]])
            #expect(ids.count == 1)
        }
    }

    @Test(.onlySQLite) func `the calls of a request share its time limit`() async throws {
        try await withServer(configure: configure { $0.readingTime = 1 }) { server in
            let device = try await server.device(of: "ann")
            // One call takes a tenth of that time, and all of them three times as long.
            try await Self.fill(server, "ann", count: 100)
            let calls = (0..<32).map { number -> JSON in
                [
                    "InboxMessage/query",
                    ["accountId": .string(device.account), "filter": Self.slowFilter, "limit": JSON(number + 1)],
                    .string("\(number)"),
                ]
            }
            let types = try await device.calls(calls).map { $0.arrayValue?[1].type }
            #expect(types.first == .some(nil))
            #expect(types.last == "requestTooLarge")
            #expect(try await device.ids().count == 100)
        }
    }

    @Test func `a response past its byte limit is rejected, a change in it is still confirmed`() async throws {
        try await withServer(configure: configure { $0.responseSize = 50_000 }) { server in
            let device = try await server.device(of: "ann")
            try await Self.fill(server, "ann", count: 4)
            let ids = try await device.ids()
            func get(_ count: Int, _ id: String) -> JSON {
                [
                    "InboxMessage/get", ["accountId": .string(device.account), "ids": JSON(Array(ids.prefix(count)))],
                    .string(id),
                ]
            }
            let read: JSON = ["readAt": "2026-05-01T08:00:00Z"]
            let set: JSON = [
                "InboxMessage/set",
                ["accountId": .string(device.account), "update": .object(JSONObject([(ids[0], read)]))], "set",
            ]
            let answers = try await device.calls([get(2, "a"), get(1, "b"), set, get(1, "c"), get(4, "d")])
            #expect(
                answers.map { $0.arrayValue?[1].type } == [
                    nil, "requestTooLarge", nil, "requestTooLarge", "requestTooLarge",
                ]
            )
            #expect(answers[2].arrayValue?[1]["updated"]?.objectValue?.count == 1)
            #expect(try await device.message(ids[0])?["readAt"] != .null)
        }
    }

    @Test func `a response past its row limit is rejected`() async throws {
        try await withServer(configure: configure { $0.rows = 25 }) { server in
            let device = try await server.device(of: "ann")
            try await Self.fill(server, "ann", count: 10, size: 1)
            let query: JSON = ["accountId": .string(device.account)]
            let answers = try await device.calls((0..<4).map { ["InboxMessage/query", query, .string("\($0)")] })
            #expect(answers.map { $0.arrayValue?[1].type } == [nil, nil, "requestTooLarge", "requestTooLarge"])
        }
    }

    @Test func `unread responses count against the person until their connections close`() async throws {
        try await withServer(configure: configure { ($0.personSize, $0.readingTime) = (30_000_000, 60) }) { server in
            let device = try await server.device(of: "ann")
            let other = try await server.device(of: "bob")
            try await Self.fill(server, "ann", count: 8, size: 50_000)
            try await Self.fill(server, "bob", count: 1)
            let messages = try await device.ids().map { JSON.string($0) }
            let port = try #require(server.url.port)
            let account = JSON.string(device.account)
            // Thirty responses of 400,000 bytes each, with different texts so that no cache has them.
            var sockets: [RawSocket] = []
            for number in 0..<2 {
                let socket = try RawSocket(port: port, receiveBuffer: 4_096)
                let get: JSON = [
                    "InboxMessage/get", ["accountId": account, "ids": .array(messages)], .string("\(number)"),
                ]
                try socket.send(request(device, Array(repeating: get, count: 30)))
                #expect(await socket.read(until: "200 OK").text.contains("200 OK"))
                sockets.append(socket)
            }
            let get: JSON = ["InboxMessage/get", ["accountId": account, "ids": .array(messages)], "last"]
            let refused = try await device.calls(Array(repeating: get, count: 30))
            #expect(refused.first?.arrayValue?[1].type == nil)
            #expect(
                refused.last?.arrayValue?[1].type == "requestTooLarge",
                "\(refused.map { $0.description.utf8.count })"
            )
            #expect(try await other.ids().count == 1)
            for socket in sockets { socket.close(abruptly: true) }
            #expect(
                try await eventually {
                    try await device.calls(Array(repeating: get, count: 30) + [["Core/echo", [:], "e"]]).allSatisfy {
                        $0.arrayValue?[0] != "error"
                    }
                }
            )
        }
    }

    @Test func `unread downloads count against the person until their connections close`() async throws {
        try await withServer(configure: configure { $0.personSize = 12_000_000 }) { server in
            let device = try await server.device(of: "ann")
            let other = try await server.device(of: "bob")
            let id = try await device.upload(String(repeating: "x", count: 5_000_000))
            let path = "/jmap/download/\(device.account)/\(id)/file"
            let port = try #require(server.url.port)
            var sockets: [RawSocket] = []
            func send() async throws -> String {
                let socket = try RawSocket(port: port, receiveBuffer: 4_096)
                sockets.append(socket)
                try socket.send(
                    "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(device.token)\r\n\r\n"
                )
                return await socket.read(until: "\r\n").text
            }
            #expect(try await send().contains("200 OK"))
            #expect(try await send().contains("200 OK"))
            #expect(try await send().contains("429"))
            #expect(try await device.ids().isEmpty, "small responses still fit")
            #expect(try await other.ids().isEmpty)
            for socket in sockets { socket.close(abruptly: true) }
            #expect(try await eventually { try await send().contains("200 OK") })
            for socket in sockets { socket.close(abruptly: true) }
        }
    }

    @Test func `a web page counts against the person's memory limit`() async throws {
        try await withServer(configure: configure { $0.personSize = 200_000 }) { server in
            try await Self.fill(server, "ann", count: 100, size: 50_000)
            let browser = try await Browser.signedIn("ann", on: server)
            #expect(try await browser.get("/inbox?limit=2").status == 200)
            let refused = try await browser.get("/inbox?limit=200")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "1")
            #expect(try await browser.get("/inbox?limit=2").status == 200)
        }
    }

    @Test func `a client that disconnects stops its running queries`() async throws {
        try await withServer(configure: configure { $0.readingTime = 120 }) { server in
            let device = try await server.device(of: "ann")
            // With PostgreSQL, the same queries take several times as long.
            try await Self.fill(server, "ann", count: TestDatabase.isPostgreSQL ? 120 : 500, size: 60_000)
            let port = try #require(server.url.port)
            /// Returns how long a later request of the person waits for a slot beside queries.
            func wait(_ queries: Range<Int>, disconnecting: Bool) async throws -> Duration {
                let sockets = try queries.map { number in
                    let socket = try RawSocket(port: port)
                    try socket.send(slowRequest(device, number))
                    return socket
                }
                try await Task.sleep(for: .milliseconds(200))
                let waiting = Task { try await device.ids(["limit": 3]) }
                try await Task.sleep(for: .milliseconds(200))
                let start = ContinuousClock.now
                if disconnecting {
                    for (index, socket) in sockets.enumerated() { socket.close(abruptly: index % 2 == 0) }
                }
                #expect(try await waiting.value.count == 3)
                let took = ContinuousClock.now - start
                for socket in sockets where !disconnecting { socket.close(abruptly: true) }
                return took
            }
            let all = try await wait(0..<4, disconnecting: false)
            let rest = try await wait(4..<8, disconnecting: true)
            // On a busy machine, all takes longer.
            #expect(rest < max(.seconds(2), all / 2), "\(rest) of \(all)")
        }
    }

    @Test func `the server stops while queries run, and answers them with 503`() async throws {
        try await withFolder { folder in
            let server = try await TestServer.start(
                file: folder.appending(path: "inbox.sqlite"),
                clock: ManualClock(),
                configure: configure { $0.readingTime = 120 }
            )
            let device = try await server.device(of: "ann")
            try await Self.fill(server, "ann", count: 500, size: 60_000)
            let port = try #require(server.url.port)
            let sockets = try (0..<8).map { number in
                let socket = try RawSocket(port: port)
                try socket.send(slowRequest(device, number))
                return socket
            }
            try await Task.sleep(for: .milliseconds(400))
            let start = ContinuousClock.now
            try await server.stop()
            #expect(ContinuousClock.now - start < .seconds(15))
            // Running requests get a 503, and every connection is closed.
            var answers: [String] = []
            for socket in sockets {
                let (text, isClosed) = await socket.read()
                #expect(isClosed)
                if !text.isEmpty { answers.append(text) }
            }
            #expect(!answers.isEmpty)
            for answer in answers { #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer.prefix(300))") }
        }
    }

    @Test func `a person past the request rate gets 429 until time has passed`() async throws {
        let clock = ManualClock()
        try await withServer(
            clock: clock,
            configure: configure { $0.personRate = FairUse.Rate(perSecond: 1, burst: 10) }
        ) { server in
            let device = try await server.device(of: "ann")
            let other = try await server.device(of: "bob")
            for _ in 0..<9 { _ = try await device.state() }
            let refused = try await device.post([:])
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == "1")
            #expect(refused.header("RateLimit") == "\"requests\";r=0;t=1")
            #expect(refused.header("RateLimit-Policy") == "\"requests\";q=10;w=10")
            #expect(refused.json["type"]?.stringValue?.hasSuffix("/rate-limited") ?? false)
            _ = try await other.state()
            clock.advance(by: 1)
            _ = try await device.state()
        }
    }

    @Test func `a request past the change rate applies nothing`() async throws {
        let clock = ManualClock()
        try await withServer(
            clock: clock,
            configure: configure { $0.changeRate = FairUse.Rate(perSecond: 1, burst: 2) }
        ) { server in
            let device = try await server.device(of: "ann")
            try await Self.fill(server, "ann", count: 3, size: 1)
            let ids = try await device.ids()
            func update(_ ids: [String]) -> JSON {
                let patch: JSON = ["readAt": "2026-05-01T08:00:00Z"]
                return [
                    "using": [.string(CoreCapability.uri), .string(MessageCapability.uri)],
                    "methodCalls": [
                        [
                            "InboxMessage/set",
                            [
                                "accountId": .string(device.account),
                                "update": .object(JSONObject(ids.map { ($0, patch) })),
                            ], "0",
                        ]
                    ],
                ]
            }
            #expect(try await device.post(update([ids[0]])).status == 200)
            let refused = try await device.post(update([ids[1], ids[2]]))
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == "1")
            #expect(try await device.message(ids[1])?["readAt"] == .null)
            clock.advance(by: 1)
            #expect(try await device.post(update([ids[1], ids[2]])).status == 200)
        }
    }

    @Test func `changes that a result reference names count towards the change rate`() async throws {
        let clock = ManualClock()
        try await withServer(
            clock: clock,
            configure: configure { $0.changeRate = FairUse.Rate(perSecond: 1, burst: 4) }
        ) { server in
            let device = try await server.device(of: "ann")
            try await Self.fill(server, "ann", count: 3, size: 1)
            let ids = try await device.ids()
            let patch: JSON = ["readAt": "2026-05-01T08:00:00Z"]
            let reference: JSON = ["resultOf": "0", "name": "Core/echo", "path": "/a"]
            let set: JSON = ["accountId": .string(device.account), "#update": reference]
            func update(_ ids: [String]) async throws -> [JSON] {
                try await device.calls([
                    ["Core/echo", ["a": .object(JSONObject(ids.map { ($0, patch) }))], "0"],
                    ["InboxMessage/set", set, "1"],
                ])
            }
            // Each call is one change at least; its own records come beside that.
            let first = try await update([ids[0]])
            #expect(first[1].arrayValue?[1]["updated"]?[ids[0]] != nil)
            let refused = try await update([ids[1], ids[2]])
            #expect(refused[1].arrayValue?[1].type == "serverUnavailable")
            #expect(refused[1].arrayValue?[1]["description"]?.stringValue?.contains("Too many changes") ?? false)
            #expect(try await device.message(ids[1])?["readAt"] == .null)
            clock.advance(by: 4)
            #expect(try await update([ids[1], ids[2]])[1].arrayValue?[1]["updated"]?.objectValue?.count == 2)
        }
    }

    /// Without limits, a request of a few kilobytes has the server copy and read gigabytes.
    @Test func `result references past their number or their values are rejected`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            func types(_ references: [(path: String, count: Int)], values: Int) async throws -> [String] {
                let numbers: [JSON] = (0..<values).map { JSON($0) }
                let empty: JSON = ["c": []]
                var calls: [JSON] = [["Core/echo", ["a": .array(numbers), "b": [empty, empty]], "0"]]
                for (number, (path, count)) in references.enumerated() {
                    let reference: JSON = ["resultOf": "0", "name": "Core/echo", "path": .string(path)]
                    let names: [(String, JSON)] = (0..<count).map { ("#r\($0)", reference) }
                    calls.append(["Core/echo", .object(JSONObject(names)), .string("\(number + 1)")])
                }
                return try await device.calls(calls).dropFirst().map { $0.arrayValue?[1].type ?? "answered" }
            }
            let tooMany = try await types([("/b/*/c", 128), ("/b", 1)], values: 1)
            #expect(tooMany == ["answered", "requestTooLarge"])
            #expect(try await types([("/b", 129)], values: 1) == ["requestTooLarge"])
            let tooLarge = try await types([("/a", 2), ("/a", 1)], values: 90_000)
            #expect(tooLarge == ["answered", "requestTooLarge"])
            #expect(try await types([("/a/7", 20)], values: 90_000) == ["answered"])
        }
    }

    @Test func `an API key past its rate gets 429, another key works`() async throws {
        try await withServer(configure: configure { $0.keyRate = FairUse.Rate(perSecond: 1, burst: 5) }) { server in
            let made = try await server.rest("POST", "/v1/keys", ["name": "other", "scopes": ["messages"]])
            let other = try #require(made.json["key"]?.stringValue)
            for _ in 0..<4 { #expect(try await server.rest("GET", "/v1/surfaces").status == 200) }
            let refused = try await server.rest("GET", "/v1/surfaces")
            #expect(refused.status == 429)
            #expect(refused.header("RateLimit") != nil)
            let sent = try await server.rest(
                "POST",
                "/v1/messages",
                ["to": ["person": "ann"], "message": ["title": "t"]],
                headers: ["Authorization": "Bearer \(other)"]
            )
            #expect(sent.status == 201)
        }
    }

    @Test func `one event stream too many ends the person's oldest`() async throws {
        try await withServer(configure: configure { $0.streams = 2 }) { server in
            let device = try await server.device(of: "ann")
            let other = try await server.device(of: "bob")
            let port = try #require(server.url.port)
            func open(_ device: Device) async throws -> RawSocket {
                let socket = try RawSocket(port: port)
                try socket.send(
                    "GET /jmap/eventsource/?types=*&closeafter=no&ping=0 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(device.token)\r\n\r\n"
                )
                #expect(await socket.read(until: ":\n\n").text.contains("200 OK"))
                return socket
            }
            let first = try await open(device)
            let another = try await open(other)
            let second = try await open(device)
            let third = try await open(device)
            #expect(await first.read(until: "0\r\n\r\n").text.hasSuffix("0\r\n\r\n"))
            #expect(try await eventually { server.watchers.count == 3 })
            try await server.send(to: ["everyone": true])
            for socket in [another, second, third] {
                #expect(await socket.read(until: "event: state").text.contains("event: state"))
            }
        }
    }

    @Test func `only the newest batch epochs are kept`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock, configure: configure { $0.epochs = 8 }) { server in
            let device = try await server.device(of: "ann")
            let id = try await server.send(to: ["person": "ann"])
            for number in 0..<18 {
                clock.advance(by: 1)
                let seen: JSON = ["seenAt": "2026-05-01T08:00:00Z"]
                try await device.update(id, seen, batch: ["epoch": .string("e\(number)"), "number": 1])
            }
            let epochs: [String] = try await server.storage().readTables {
                try $0.values("SELECT epoch FROM batch ORDER BY at")
            }
            #expect(epochs.count == 8)
            #expect(epochs.first == "e10")
            let long = String(repeating: "e", count: 256)
            let answer = try await device.update(id, ["seenAt": .null], batch: ["epoch": .string(long), "number": 1])
            #expect(answer.type == "invalidArguments")
        }
    }

    @Test func `a request with too many JSON values is rejected before it is decoded`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let text =
                #"{"using":["urn:ietf:params:jmap:core"],"methodCalls":[["Core/echo",{"a":["#
                + String(repeating: "[0],", count: 60_000) + #"0]},"0"]]}"#
            let answer = try await server.request(
                "POST",
                "/jmap/api",
                body: Array(text.utf8),
                headers: device.authorization
            )
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "urn:ietf:params:jmap:error:limit")
            #expect(answer.json["limit"] == "maxSizeRequest")
            #expect(answer.json["detail"]?.stringValue?.contains("100000 JSON values") ?? false)
        }
    }

    @Test func `one person's webhook payloads don't displace another's`() async throws {
        try await withServer { server in
            _ = try await server.addWebhook("http://127.0.0.1:1/", ["event.opened"])
            let ann = try await server.device(of: "ann")
            let bob = try await server.device(of: "bob")
            let theirs = try await server.send(to: ["person": "bob"])
            let annsMessage = try await server.send(to: ["person": "ann"])
            try await bob.track("opened", theirs, uid: "bob")
            let storage = try await server.storage()
            // Ann's payloads fill the outbox.
            try await storage.writeTables { db in
                try db.run(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                    SELECT o.webhook, 'x' || i, (SELECT id FROM person WHERE name = 'ann'), o.type, o.body,
                        o.createdAt, 0, o.nextAt
                    FROM n, (SELECT * FROM outbox LIMIT 1) o
                    """,
                    [OutboxLimits.pending]
                )
            }
            for number in 0..<20 { try await ann.track("opened", annsMessage, uid: "ann\(number)") }
            let counts = try await storage.readTables { db in
                try db.rows(
                    """
                    SELECT p.name, o.diedAt IS NOT NULL, count(*) FROM outbox o JOIN person p ON p.id = o.person
                    GROUP BY 1, 2 ORDER BY 1, 2
                    """
                ).map { "\($0[0] as String) \($0[1] as Bool) \($0[2] as Int)" }
            }
            #expect(counts.contains("bob false 1"))
            #expect(counts.contains { $0.hasPrefix("ann true") })
            let pending: Int = try await storage.readTables { db in
                try db.value("SELECT count(*) FROM outbox WHERE diedAt IS NULL") ?? 0
            }
            #expect(pending <= OutboxLimits.pending)
        }
    }
}
