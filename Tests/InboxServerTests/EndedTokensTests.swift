#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import InboxModel
    import JMAP
    import Postgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// Tokens and keys that end on one of two servers with one database.
    @Suite(.timeLimit(.minutes(10)), .onlyPostgreSQL) struct EndedTokensTests {
        @Test func `ending tokens on one server ends them and their streams on the other`() async throws {
            try await TwoServers.run { one, other in
                func isRejected(_ device: Device) async throws -> Bool {
                    try await eventually { try await device.post(["using": [], "methodCalls": []]).status == 401 }
                }
                // All tokens of a person.
                let ann = try await one.device(of: "ann").moved(to: other)
                let stream = try await ann.openStream()
                #expect(try await one.rest("DELETE", "/v1/people/ann/tokens").status == 204)
                #expect(await stream.next() == nil)
                #expect(try await isRejected(ann))
                // One token; the other one goes on.
                let (first, second) = (try await one.device(of: "ann"), try await one.device(of: "ann"))
                let (ending, going) = (
                    try await first.moved(to: other).openStream(), try await second.moved(to: other).openStream()
                )
                let browser = Browser(one)
                try await browser.signIn(with: first.token)
                #expect(try await browser.post("/inbox/sign-out").status == 303)
                #expect(await ending.next() == nil)
                #expect(try await isRejected(first.moved(to: other)))
                try await one.send(to: ["person": "ann"])
                #expect(await going.next() != nil)
                going.close()
                // An erased person.
                let bob = try await one.device(of: "bob").moved(to: other)
                let last = try await bob.openStream()
                #expect(try await one.rest("DELETE", "/v1/people/bob").status == 200)
                #expect(await last.next() == nil)
                #expect(try await isRejected(bob))
                // A key that signs tokens.
                let carol = try await one.device(of: "carol").moved(to: other)
                let signed = try await carol.openStream()
                let rotation: JSON = ["endTokens": true]
                #expect(try await one.rest("POST", "/v1/signing-key/rotate", rotation).status < 300)
                #expect(await signed.next() == nil)
                #expect(try await isRejected(carol))
                #expect(try await other.device(of: "carol").ids() == [])
                #expect(try await other.device(of: "carol").moved(to: one).ids() == [])
            }
        }

        /// Expects that something takes less than a second, but for a machine that is late.
        private func expectWithinSecond(
            _ what: String,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ body: () async throws -> Void
        ) async throws {
            let (time, lateness) = try await measured(body)
            #expect(
                time < .seconds(1) + lateness,
                "\(what): \(time), with a machine that is late by \(lateness)",
                sourceLocation: sourceLocation
            )
        }

        @Test func `streams on the other server end within a second`() async throws {
            try await TwoServers.run { one, other in
                let endings: [(String, (Device, String) async throws -> Int)] = [
                    (
                        "token",
                        { device, _ in
                            let browser = Browser(one)
                            try await browser.signIn(with: device.token)
                            return try await browser.post("/inbox/sign-out").status
                        }
                    ),
                    ("person", { try await one.rest("DELETE", "/v1/people/\($1)/tokens").status }),
                    ("erasure", { try await one.rest("DELETE", "/v1/people/\($1)").status }),
                    (
                        "key",
                        { _, _ in
                            try await one.rest("POST", "/v1/signing-key/rotate", ["endTokens": true]).status
                        }
                    ),
                ]
                for (what, end) in endings {
                    for round in 0..<5 {
                        let person = "\(what)-\(round)"
                        let device = try await one.device(of: person)
                        let stream = try await device.moved(to: other).openStream()
                        #expect(try await end(device, person) < 400)
                        try await expectWithinSecond(person) { #expect(await stream.next() == nil) }
                    }
                }
            }
        }

        /// As by a server that is killed between its commit and its notification. The others find it by its row alone,
        /// where of the test above both ways would have to fail.
        @Test func `streams on the other server end within a second without a notification`() async throws {
            try await TwoServers.run { one, other in
                for round in 0..<5 {
                    let person = "ann-\(round)"
                    let stream = try await one.device(of: person).moved(to: other).openStream()
                    let killed = 200 + round
                    try await one.execute(
                        """
                        INSERT INTO node (id, session, seenAt, groups, message)
                        VALUES (\(killed), 7, \(NodeNumber.now), 0, 0);
                        BEGIN;
                        INSERT INTO tokenEnd (personName, at, start) VALUES ('\(person)', 0, 4000000000);
                        SELECT noteGroup(\(killed)::smallint, 7, 1, 0);
                        COMMIT;
                        """
                    )
                    try await expectWithinSecond(person) { while await stream.next() != nil {} }
                }
            }
        }

        @Test func `a revoked API key is refused by the other server within a second`() async throws {
            let clock = ManualClock()
            try await TwoServers.run(clock: clock) { one, other in
                for round in 0..<5 {
                    let wanted: JSON = ["name": .string("ci-\(round)"), "scopes": ["messages"]]
                    let made = try await one.rest("POST", "/v1/keys", wanted)
                    let (key, id) = (made.json["key"]?.stringValue ?? "", made.json["id"]?.stringValue ?? "")
                    func status() async throws -> Int {
                        try await other.rest("GET", "/v1/messages", headers: ["Authorization": "Bearer \(key)"]).status
                    }
                    #expect(try await eventually { try await status() == 200 })
                    #expect(try await one.rest("DELETE", "/v1/keys/\(id)").status == 204)
                    try await expectWithinSecond("key \(round)") {
                        let isRefused = try await eventually { try await status() == 401 }
                        #expect(isRefused)
                    }
                    // Wrong keys are paced.
                    clock.advance(by: 60)
                }
            }
        }

        @Test func `an unknown person's token, ended on one server, is rejected on the other`() async throws {
            try await TwoServers.run { one, other in
                let token = try await one.token(for: "dave")
                #expect(try await other.rest("DELETE", "/v1/people/dave/tokens").status == 204)
                let headers = ["Authorization": "Bearer \(token)"]
                for server in [one, other] {
                    #expect(try await server.request("GET", "/.well-known/jmap", headers: headers).status == 401)
                }
                // A new one is accepted by both.
                for server in [one, other] { #expect(try await one.device(of: "dave").moved(to: server).ids() == []) }
            }
        }

        /// Returns the people whose tokens end, as announced from a closure on until the tokens of a last person end.
        private func announcedEnds(
            on server: TestServer,
            until last: String,
            _ body: () async throws -> Void
        ) async throws -> Set<Int> {
            let (stream, continuation) = AsyncStream.makeStream(of: PostgresListener.Event.self)
            let listener = try PostgresListener(
                try await server.databaseSettings(),
                channels: [PostgresNode.channel]
            ) { continuation.yield($0) }
            defer { listener.stop() }
            var events = stream.makeAsyncIterator()
            while let event = await events.next(), event != .listening {}
            try await body()
            #expect(try await server.rest("DELETE", "/v1/people/\(last)/tokens").status == 204)
            let storage = try await server.storage()
            let number = try #require(try await storage.read { try $0.number(ofPerson: last) })
            var ended: Set<Int> = []
            while !ended.contains(number), case .notification(let notification)? = await events.next() {
                ended.formUnion(try #require(Announcement.read(notification.payload)).announcement.endedTokens)
            }
            return ended.subtracting([number])
        }

        @Test func `ending an unknown person's tokens leaves other tokens valid`() async throws {
            try await TwoServers.run { one, other in
                let phone = try await one.device(of: "ann").moved(to: other)
                let ended = try await announcedEnds(on: one, until: "ann") { () async throws in
                    for number in 0..<3 {
                        #expect(try await one.rest("DELETE", "/v1/people/unknown\(number)/tokens").status == 204)
                    }
                    #expect(try await one.rest("DELETE", "/v1/people/unknown").status == 200)
                }
                #expect(ended.isEmpty)
                #expect(try await eventually { try await phone.post(["using": [], "methodCalls": []]).status == 401 })
            }
        }

        @Test func `a person created while that person's tokens end is announced`() async throws {
            try await TwoServers.run { one, other in
                _ = try await one.device(of: "ann")
                let storage = try await Storage.open(try await TestDatabase.address(for: one.file))
                try await storage.join()
                let writer = try await Writer(storage: storage, clock: ManualClock(), random: .system) { _ in }
                let ended = try await announcedEnds(on: one, until: "ann") { () async throws in
                    try await writer.write { transaction in
                        _ = try transaction.revokeTokens(of: "new")
                        let isSent = DispatchSemaphore(value: 0)
                        Task {
                            try await other.send(to: ["person": "new"])
                            isSent.signal()
                        }
                        try #require(isSent.wait(timeout: .now() + 120) == .success)
                    }
                }
                let number = try await storage.read { try $0.number(ofPerson: "new") }
                #expect(number != nil && ended == Set([number].compactMap(\.self)))
                try await storage.close()
            }
        }

        @Test func `creating or revoking an API key on one server applies on the other`() async throws {
            try await TwoServers.run { one, other in
                let made = try await one.rest("POST", "/v1/keys", ["name": "ci", "scopes": ["messages"]])
                let (key, id) = (made.json["key"]?.stringValue ?? "", made.json["id"]?.stringValue ?? "")
                func status(_ server: TestServer) async throws -> Int {
                    try await server.rest("GET", "/v1/messages", headers: ["Authorization": "Bearer \(key)"]).status
                }
                #expect(try await eventually { try await status(other) == 200 })
                #expect(try await other.rest("DELETE", "/v1/keys/\(id)").status == 204)
                #expect(try await eventually { try await status(one) == 401 })
                #expect(try await status(other) == 401)
            }
        }

        @Test func `a key that another server has just made works before it is announced`() async throws {
            let clock = ManualClock()
            try await TwoServers.run(clock: clock) { one, other in
                // As a server whose notification is on its way: this one has no place, and announces nothing.
                let storage = try await one.storage()
                let writer = try await Writer(storage: storage, clock: clock, random: .system) { _ in }
                let tokens = try await Tokens(writer: writer, clock: clock, random: .system)
                let keys = try await APIKeys(writer: writer, adminKey: nil, clock: clock, random: .system)
                let creator = try #require(keys.holder(of: TestServer.adminKey))

                _ = try await tokens.signingKeys.rotate(revokingTokens: false, by: .tool)
                let token = try await tokens.issue(for: "bob", lifetime: 3_600, notBefore: nil).token
                let headers = ["Authorization": "Bearer \(token)"]
                #expect(try await other.request("GET", "/.well-known/jmap", headers: headers).status == 200)

                let wanted: JSON = ["name": "ci", "scopes": ["messages"]]
                let new = try NewAPIKey(checking: JSONReader(wanted), now: clock.now)
                let secret = try await keys.create(new, by: creator).secret
                func status(_ key: String) async throws -> Int {
                    try await other.rest("GET", "/v1/messages", headers: ["Authorization": "Bearer \(key)"]).status
                }
                #expect(try await status(secret) == 200)

                // Many wrong keys use the reads up. Then what is in memory decides.
                let reads = KeyReads(of: storage, clock: clock)
                for _ in 0..<5 { #expect(reads.admit()) }
                #expect(!reads.admit())
                clock.advance(by: 0.3)
                #expect(reads.admit())
                #expect(!reads.admit())
            }
        }
    }
#endif
