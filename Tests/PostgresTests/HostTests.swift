import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

/// Addresses with several hosts.
@Suite(.timeLimit(.minutes(5))) struct HostTests {
    #if canImport(Glibc)
        /// Of the second time, it is the default that leaves the host.
        @Test(arguments: [(true, "connect_timeout=4"), (false, "connect_timeout=4"), (true, "")])
        func `a host that is silent is left for the next one`(acceptsConnections: Bool, options: String) async throws {
            let server = try await DatabaseServer.shared.value
            let silent = try SilentHost(acceptsConnections: acceptsConnections)
            let address = server.address(ports: [silent.port, silent.port, server.port], options: options)
            let settings = try PostgresSettings(address)
            let start = ContinuousClock.now
            #expect(try await blocking { try PostgresConnection(settings).execute("SELECT 1")[0][0] } == 1)
            let limit = options.isEmpty ? 5 : 4
            let took = ContinuousClock.now - start
            // libpq counts whole seconds of the clock.
            #expect(took > .seconds(2 * (limit - 1)) && took < .seconds(2 * limit + 60), "\(took)")
        }

        @Test func `hosts that are all silent are unavailable, each after its time`() async throws {
            let server = try await DatabaseServer.shared.value
            let silent = try SilentHost(acceptsConnections: true)
            let settings = try PostgresSettings(
                server.address(ports: [silent.port, silent.port], options: "connect_timeout=2")
            )
            let start = ContinuousClock.now
            let error = try await blocking { failure { _ = try PostgresConnection(settings) } }
            let took = ContinuousClock.now - start
            #expect(error?.kind == .unavailable)
            #expect(took > .seconds(2) && took < .seconds(60), "\(took)")
        }

        @Test func `a pool whose threads wait for a silent host is closed at once`() async throws {
            let server = try await DatabaseServer.shared.value
            let silent = try SilentHost(acceptsConnections: true)
            let pool = try PostgresPool(
                PostgresSettings(server.address(ports: [silent.port], options: "connect_timeout=60"))
            )
            let start = ContinuousClock.now
            await pool.close()
            #expect(ContinuousClock.now - start < .seconds(40))
        }
    #endif
}
