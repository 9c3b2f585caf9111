import Foundation
import Testing

/// The pause at a server's stop, with real signals.
@Suite(.timeLimit(.minutes(5))) struct ShutdownPauseTests {
    @Test func `a stopping server answers, unready, until a second signal`() async throws {
        try await World.with { world in
            try await world.startServer(options: ["--shutdown-pause", "60"])
            #expect(try await world.request("GET", "/health/ready").status == 200)
            world.signalServer(SIGTERM)
            try await world.until("it isn't ready") {
                try await world.request("GET", "/health/ready").status == 503
            }
            #expect(try await world.request("GET", "/v1/messages").status == 200)
            let start = ContinuousClock.now
            world.signalServer(SIGTERM)
            #expect(try await world.waitForServerExit() == 0)
            #expect(ContinuousClock.now - start < .seconds(30), "5 s, and what busy cores add")
        }
    }
}
