#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import InboxModel
    import JMAP
    import Logging
    import Postgres
    import RecordedLogs
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// Servers whose clock isn't that of their database.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct DatabaseClockTests {
        /// The time of day, with an error that can be corrected.
        private final class WrongClock: WallClock {
            /// The seconds by which it is ahead.
            let error: Locked<Double>

            init(ahead seconds: Double) {
                error = Locked(seconds)
            }

            var now: Date { Date().addingTimeInterval(error.withLock { $0 }) }

            func sleep(until time: Date) async throws {
                // As the system's clock, it follows a correction.
                while now < time { try await Task.sleep(for: .milliseconds(20)) }
            }
        }

        private func isReady(_ server: TestServer) async throws -> Bool {
            try await server.request("GET", "/health/ready").status == 200
        }

        @Test(arguments: [200_000.0, -120])
        func `a server whose clock is wrong isn't ready, and sends on time`(ahead seconds: Double) async throws {
            let clock = WrongClock(ahead: seconds)
            let log = RecordedLog()
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let right = try await TestServer.start(file: file, clock: SystemClock()) { $0.isClockCompared = true }
                func sendOnce() async throws -> String? {
                    let body: JSON = ["to": ["person": "bob"], "message": ["title": "Once"]]
                    return try await right.rest("POST", "/v1/messages", body, headers: ["Idempotency-Key": "once"])
                        .json["id"]?.stringValue
                }
                let once = try await sendOnce()
                #expect(once != nil)
                let wrong = try await TestServer.start(file: file, clock: clock, logger: log.logger) {
                    $0.isClockCompared = true
                }
                let answer = try await wrong.request("GET", "/health/ready")
                #expect(answer.status == 503)
                let reason = seconds < 0 ? " s behind the database's." : " s ahead of the database's."
                #expect(answer.json["detail"]?.stringValue?.hasSuffix(reason) == true)
                #expect(try await wrong.request("GET", "/health").status == 200)
                #expect(try await isReady(right))
                // By its clock, the key's day may be over.
                #expect(try await sendOnce() == once)

                // The wrong server alone does what is due, and not before.
                let phone = try await right.device(of: "ann")
                func send(_ title: String, after seconds: Double) async throws {
                    let time = JSON(Date().addingTimeInterval(seconds))
                    try await right.send(to: ["person": "ann"], ["title": .string(title), "deliverAt": time])
                }
                try await send("in an hour", after: 3_600)
                try await send("soon", after: 3)
                try await right.stop()
                let storage = try await right.storage()
                func shown() async throws -> [String] {
                    try await storage.readTables { db in
                        try db.values(
                            """
                            SELECT messageText(content, 'title') FROM message m JOIN delivery d ON d.message = m.id
                            WHERE d.state = 1 AND messageText(content, 'title') <> 'Once'
                            """
                        )
                    }
                }
                let start = ContinuousClock.now
                #expect(try await eventually { try await !shown().isEmpty })
                // By a clock that is behind, it would be due two minutes later.
                #expect(ContinuousClock.now - start < .seconds(100))
                #expect(try await shown() == ["soon"])

                // It goes on by itself, and has reported it once.
                clock.error.withLock { $0 = 0 }
                #expect(try await eventually { try await isReady(wrong) })
                let there = Device(server: wrong, token: phone.token, account: phone.account)
                #expect(try await there.ids().count == 1)
                #expect(try await eventually { log.messages.contains { $0.contains("agree again") } })
                let warnings = log.entries.filter { $0.level == .warning && $0.message.contains("clock") }
                #expect(warnings.count == 1)
                #expect(warnings.first?.metadata["clock"]?.contains(seconds < 0 ? "behind" : "ahead") == true)
                try await wrong.stop()
            }
        }

        @Test func `scheduled work is done on time though the clock is set back meanwhile`() async throws {
            let clock = WrongClock(ahead: 0)
            try await withFolder { folder in
                let server = try await TestServer.start(file: folder.appending(path: "inbox.sqlite"), clock: clock) {
                    $0.isClockCompared = true
                }
                #expect(try await isReady(server))
                let storage = try await server.storage()
                func shown() async throws -> Int? {
                    try await storage.readTables { try $0.value("SELECT count(*) FROM delivery WHERE state = 1") }
                }
                let time = JSON(Date().addingTimeInterval(8))
                try await server.send(to: ["person": "ann"], ["title": "Soon", "deliverAt": time])
                #expect(try await shown() == 0)
                // By the server's own clock, it is due in an hour now.
                clock.error.withLock { $0 = -3_600 }
                #expect(try await eventually { try await !isReady(server) })
                #expect(try await eventually { try await shown() == 1 })
                clock.error.withLock { $0 = 0 }
                #expect(try await eventually { try await isReady(server) })
                try await server.stop()
            }
        }
    }
#endif
