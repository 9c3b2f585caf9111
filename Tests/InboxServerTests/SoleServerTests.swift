#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// A server that has a database of PostgreSQL alone for a while.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct SoleServerTests {
        /// Whether a server answers from memory: a change that no server has made isn't seen there.
        private func answersFromMemory(_ device: Device) async throws -> Bool {
            let before = try await device.state()
            try await device.server.execute("UPDATE person SET sequence = sequence + 1")
            return try await device.state() == before
        }

        @Test func `a server alone answers from memory, and beside another from the database`() async throws {
            try await withServer { one in
                let phone = try await one.device(of: "ann")
                #expect(try await eventually { try await answersFromMemory(phone) })
                let other = try await TestServer.start(file: one.file, clock: ManualClock())
                #expect(try await eventually { try await !answersFromMemory(phone) })
                for _ in 0..<3 { #expect(try await !answersFromMemory(phone)) }
                try await other.stop()
                #expect(try await eventually { try await answersFromMemory(phone) })
                // One that is killed doesn't say so. After a while it can't write any more.
                let killed = try await TestServer.start(file: one.file, clock: ManualClock())
                #expect(try await eventually { try await !answersFromMemory(phone) })
                #expect(
                    try await eventually {
                        let last = "SELECT max(id) FROM node WHERE session IS NOT NULL"
                        try await one.execute("UPDATE node SET seenAt = 0 WHERE id = (\(last))")
                        return try await answersFromMemory(phone)
                    }
                )
                // It finds that it has lost its number, and writes with another one.
                try await killed.send(to: ["person": "ann"])
                #expect(try await !answersFromMemory(phone))
                #expect(try await phone.ids().count == 1)
                try await killed.stop()
            }
        }

        @Test func `the first write of a new server is seen by one that was alone`() async throws {
            try await withServer { one in
                let phone = try await one.device(of: "ann")
                for _ in 0..<3 {
                    #expect(try await eventually { try await answersFromMemory(phone) })
                    let state = try await phone.state()
                    let other = try await TestServer.start(file: one.file, clock: ManualClock())
                    let id = try await other.send(to: ["person": "ann"])
                    #expect(try await phone.changes(since: state).created == [id])
                    try await other.stop()
                }
            }
        }

        @Test func `writes of servers that have stopped are in the remaining server's memory`() async throws {
            try await withServer { one in
                let phone = try await one.device(of: "ann")
                let people = (0..<2_100).map { "p\($0)" } + ["ann"]
                for to: JSON in [["person": "ann"], ["people": JSON(people)], ["everyone": true]] {
                    let other = try await TestServer.start(file: one.file, clock: ManualClock())
                    var state = try await phone.state()
                    let id = try await other.send(to: to)
                    async let end: Void = other.stop()
                    #expect(try await phone.changes(since: state).created == [id])
                    try await end
                    // Also at the moment from which on the server is alone.
                    for _ in 0..<200 where try await phone.changes(since: state).created != [id] {
                        Issue.record("the message was forgotten")
                    }
                    #expect(try await eventually { try await answersFromMemory(phone) })
                    #expect(try await phone.changes(since: state).created == [id])
                    state = try await phone.state()
                }
            }
        }

        @Test func `unannounced commits of a stopped server are read before memory is used`() async throws {
            try await withServer { one in
                let phone = try await one.device(of: "ann")
                for _ in 0..<4 {
                    #expect(try await eventually { try await answersFromMemory(phone) })
                    // A server comes, commits once, and is gone before it has announced that.
                    try await one.execute(
                        """
                        INSERT INTO node (id, session, seenAt, groups, message) VALUES (7, 1, \(Int.max), 0, 0)
                        ON CONFLICT (id) DO UPDATE SET session = 1
                        """
                    )
                    #expect(try await eventually { try await !answersFromMemory(phone) })
                    let state = try await phone.state()
                    try await one.execute(
                        """
                        BEGIN;
                        UPDATE person SET sequence = sequence + 1;
                        UPDATE node SET groups = groups + 1, session = NULL WHERE id = 7;
                        COMMIT
                        """
                    )
                    // Between the first read of the rows after that and the second one.
                    try await Task.sleep(for: PostgresNode.interval + .milliseconds(50))
                    #expect(try await phone.state() != state)
                }
            }
        }
    }
#endif
