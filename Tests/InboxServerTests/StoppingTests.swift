#if PostgreSQL
    import Foundation
    import Groundwork
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// The end of a server whose database doesn't answer.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct StoppingTests {
        @Test func `a server whose database is paused ends within five seconds, and answers`() async throws {
            try await DatabaseServer.run(options: ["max_locks_per_transaction=256"]) { database in
                let address = try #require(URL(string: database.address()))
                try await withFolder { folder in
                    let file = folder.appending(path: "inbox.sqlite")
                    let server = try await TestServer.start(file: file, clock: ManualClock()) { configuration in
                        configuration.database = address
                        configuration.pooler = nil
                    }
                    try await server.send(to: ["person": "ann"])
                    try await database.pause()
                    let body: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]
                    let answer = Task { try await server.rest("POST", "/v1/messages", body) }
                    try await Task.sleep(for: .milliseconds(500))
                    let start = ContinuousClock.now
                    try await server.stop()
                    let took = ContinuousClock.now - start
                    #expect(took > .seconds(2) && took < .seconds(5.5), "\(took)")
                    #expect(try await answer.value.status == 503)
                    try await database.resume()
                }
            }
        }
    }
#endif
