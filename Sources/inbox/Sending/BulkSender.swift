import Foundation
import Groundwork

/// Sends many messages, several at a time.
struct BulkSender: Sendable {
    let server: SendingServer
    var clock: any WallClock = SystemClock()

    /// The number of concurrent requests. With 1, messages arrive in order.
    var width = 8
    /// The number of attempts for a request with retryable failures. All attempts have the same idempotency key, so the
    /// message isn't duplicated.
    private static let tries = 4

    /// The outcome of one item.
    struct Outcome: Sendable {
        enum Result: Sendable {
            case sent(SendingServer.Receipt)
            case refused(SendingError)
            /// Not attempted, because an earlier failure concerns all items.
            case notTried
        }

        let item: OutgoingItem
        let result: Result
    }

    /// Sends all items, and reports the outcome of each.
    ///
    /// After a failure that concerns every message (no server, a wrong key), the remaining items aren't attempted.
    func send(_ items: [OutgoingItem]) -> AsyncStream<Outcome> {
        let (stream, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let task = Task {
            await withTaskGroup(of: Outcome.self) { group in
                var rest = items[...]
                var isHopeless = false
                for item in rest.prefix(width) { group.addTask { await outcome(of: item) } }
                rest = rest.dropFirst(width)
                for await outcome in group {
                    continuation.yield(outcome)
                    if case .refused(let error) = outcome.result, error.concernsAll { isHopeless = true }
                    if !isHopeless, let next = rest.popFirst() { group.addTask { await self.outcome(of: next) } }
                }
                for item in rest { continuation.yield(Outcome(item: item, result: .notTried)) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    @concurrent
    private func outcome(of item: OutgoingItem) async -> Outcome {
        var wait = 0.25
        for attempt in 1... {
            do {
                return Outcome(
                    item: item,
                    result: .sent(try await server.send(item.request, idempotencyKey: item.idempotencyKey))
                )
            } catch let error as SendingError {
                guard error.isRetryable, attempt < Self.tries else {
                    return Outcome(item: item, result: .refused(error))
                }
                // At most a minute, even if the server requests more: a person waits at the terminal.
                let seconds = min(60, max(wait, error.retryAfter ?? 0))
                guard (try? await clock.sleep(seconds: seconds)) != nil else {
                    return Outcome(item: item, result: .notTried)
                }
                wait *= 3
            } catch {
                return Outcome(item: item, result: .notTried)
            }
        }
        return Outcome(item: item, result: .notTried)
    }
}
