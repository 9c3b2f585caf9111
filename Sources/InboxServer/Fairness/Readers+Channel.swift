import InboxService
import NIOCore

extension Readers {
    /// How long who has said that they send no more, and may still read an answer, waits for a slow one.
    private static let grace = Duration.milliseconds(250)

    /// Answers a request, which reads as it is given.
    ///
    /// - Parameters:
    ///   - channel: What the request came on: where a read takes long, it is seen whether anybody still waits for it.
    ///   - body: Also given what the request has of its person's bytes, which has to live as long as the answer.
    func answer<Value>(
        _ person: Person,
        on channel: any Channel,
        _ body: (PersonReads, ByteShare) async throws -> Value
    ) async throws -> Value {
        let whenSlow = { @Sendable (budget: RequestBudget) in
            ConnectionGuard.onHangUp(of: channel, isStream: false) { isClosed in
                budget.stop(.hangUp, after: isClosed ? .zero : Self.grace)
            }
        }
        return try await answer(person, whenSlow: whenSlow, body)
    }
}
