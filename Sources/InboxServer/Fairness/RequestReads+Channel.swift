import InboxService
import NIOCore

extension RequestReads {
    /// The time that a slow read still has after the client has closed its half of the connection. Such a client may
    /// still read a response.
    private static let grace = Duration.milliseconds(250)

    /// Runs a request whose database reads go through the `PersonReads` that `body` receives.
    ///
    /// - Parameters:
    ///   - channel: The connection. If a read is slow, it stops when the client disconnects.
    ///   - body: Also receives the request's share of the person's bytes, which must live as long as the response.
    func run<Value>(
        for person: Person,
        on channel: any Channel,
        _ body: (PersonReads, ByteShare) async throws -> Value
    ) async throws -> Value {
        let whenSlow = { @Sendable (budget: RequestBudget) in
            ConnectionGuard.onDisconnect(of: channel, isStream: false) { isClosed in
                budget.stop(.disconnected, after: isClosed ? .zero : Self.grace)
            }
        }
        return try await run(for: person, whenSlow: whenSlow, body)
    }
}
