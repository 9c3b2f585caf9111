#if PostgreSQL
    import Eventually
    import Groundwork
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// A server whose database is gone for a while.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct GoneDatabaseTests {
        @Test func `without a database a server answers 503 with Retry-After, until it is back`() async throws {
            try await withOwnDatabase { server, database in
                let message: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]
                #expect(try await server.rest("POST", "/v1/messages", message).status == 201)
                try await database.shutDown()
                for (method, path, body) in [
                    ("POST", "/v1/messages", message), ("GET", "/v1/messages", nil), ("GET", "/health", nil),
                ] as [(String, String, JSON?)] {
                    let answer = try await server.rest(method, path, body)
                    #expect(answer.status == 503, "\(method) \(path)")
                    #expect(answer.header("Retry-After") == "10", "\(method) \(path)")
                }
                try await database.restart()
                let isBack = try await eventually {
                    try await server.rest("POST", "/v1/messages", message).status == 201
                }
                #expect(isBack)
                let isReady = try await eventually {
                    try await server.request("GET", "/health/ready").status == 200
                }
                #expect(isReady)
                try await server.stop()
            }
        }
    }
#endif
