#if PostgreSQL
    import Foundation
    import Groundwork
    import RunningPostgres
    import Testing

    /// A server that is paused until it counts as gone, for real seconds: the time without a heartbeat is the
    /// database's.
    @Suite(.timeLimit(.minutes(5))) struct PausedServerTests {
        @Test func `a server paused until another has its number repeats nothing`() async throws {
            try await Nodes.with { nodes in
                let phone = try await JMAPDevice(nodes.worlds[0], person: "ann")
                let paused = "SELECT count(*) FROM node WHERE id = 0 AND session IS NULL"
                #expect(try await nodes.query("SELECT count(*) FROM node WHERE id = 0 AND session IS NOT NULL") == [1])
                try await nodes.round(1) {
                    // In the middle of what six senders have it do.
                    nodes.worlds[0].signalServer(SIGSTOP)
                    // Rows that its transaction has locked refuse these, until PostgreSQL ends it. Its own timer has
                    // their time too, when it wakes up.
                    for number in 0..<10 { try await nodes.schedule("due-\(number)", in: 2, at: 1 + number % 2) }
                    try await nodes.worlds[1].until("its number is free") { try await nodes.query(paused) == [1] }
                    // Another server has it then.
                    try await nodes.worlds[2].stopServer()
                    try await nodes.start(2)
                    #expect(try await nodes.query(paused) == [0])
                    try await nodes.worlds[1].until("the others have done what was due") {
                        try await nodes.query("SELECT count(*) FROM due") == [0]
                    }
                    let answered = try await JMAPDevice(nodes.worlds[1], person: "ann").messages()
                    nodes.worlds[0].signalServer(SIGCONT)
                    // Its first answer has what the others have done meanwhile, once its connections are open.
                    let first = Locked<[JSON]?>(nil)
                    try await nodes.worlds[0].until("it answers") {
                        let found = try? await phone.messages()
                        first.withLock { $0 = found }
                        return found != nil
                    }
                    let found = first.withLock { $0 ?? [] }.compactMap { $0["id"]?.stringValue }
                    #expect(Set(found).isSuperset(of: answered.compactMap { $0["id"]?.stringValue }))
                    #expect(answered.count { $0["title"]?.stringValue?.hasPrefix("due-") == true } == 10)
                }
                // It writes under a number of its own.
                let sessions = "SELECT count(DISTINCT session) FROM node WHERE session IS NOT NULL"
                try await nodes.worlds[0].until("it has another number") { try await nodes.query(sessions) == [3] }
                try await nodes.schedule("after", in: -1, at: 0)
                try await nodes.end(rounds: 1)
            }
        }
    }
#endif
