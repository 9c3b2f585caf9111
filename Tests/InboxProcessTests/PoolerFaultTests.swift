#if PostgreSQL
    import Foundation
    import Groundwork
    import RunningPostgres
    import Testing

    /// Three servers as processes whose reads and writes go through PgBouncer in transaction mode.
    @Suite(.timeLimit(.minutes(10))) struct PoolerFaultTests {
        @Test func `killing a pooler or the database behind it loses and duplicates nothing`() async throws {
            try await Nodes.with(usesPooler: true) { nodes in
                for round in 1...4 {
                    try await nodes.round(round) {
                        switch round {
                        case 1:
                            // Killed, and started again in front of the same server.
                            try await nodes.database.movePooler(to: nodes.database.port)
                        case 2:
                            try await nodes.database.shutDown()
                            try await nodes.database.restart()
                        case 3:
                            try await nodes.database.kill()
                            try await nodes.database.restart()
                        default:
                            try await nodes.database.kill()
                            try await nodes.database.movePooler(to: nodes.database.port)
                            try await nodes.database.restart()
                        }
                    }
                }
                // The faults were felt.
                #expect(nodes.refusals.withLock { $0[503] ?? 0 } > 0)
                try await nodes.end(rounds: 4)
            }
        }
    }
#endif
