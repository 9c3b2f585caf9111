import Foundation
import Groundwork

/// Sends many messages, several at a time.
struct BulkSender: Sendable {
    let server: ServerAPI
    var clock: any WallClock = SystemClock()

    /// The number of concurrent requests. With 1, messages arrive in order.
    var maxConcurrentRequests = 8
    /// The number of attempts for a request with retryable failures. All attempts have the same idempotency key, so the
    /// message isn't duplicated.
    private static let maxAttempts = 4

    /// The outcome of one item.
    struct Outcome: Sendable {
        enum Result: Sendable {
            case sent(ServerAPI.Receipt)
            case refused(ServerAPIError)
            /// Not attempted, because an earlier failure concerns all items.
            case skipped
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
                var remaining = items[...]
                var shouldStop = false
                for item in remaining.prefix(maxConcurrentRequests) { group.addTask { await outcome(of: item) } }
                remaining = remaining.dropFirst(maxConcurrentRequests)
                for await outcome in group {
                    continuation.yield(outcome)
                    if case .refused(let error) = outcome.result, error.affectsAll { shouldStop = true }
                    if !shouldStop, let next = remaining.popFirst() { group.addTask { await self.outcome(of: next) } }
                }
                for item in remaining { continuation.yield(Outcome(item: item, result: .skipped)) }
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
            } catch let error as ServerAPIError {
                guard error.isRetryable, attempt < Self.maxAttempts else {
                    return Outcome(item: item, result: .refused(error))
                }
                // At most a minute, even if the server requests more: a person waits at the terminal.
                let seconds = min(60, max(wait, error.retryAfter ?? 0))
                guard (try? await clock.sleep(seconds: seconds)) != nil else {
                    return Outcome(item: item, result: .skipped)
                }
                wait *= 3
            } catch {
                return Outcome(item: item, result: .skipped)
            }
        }
        return Outcome(item: item, result: .skipped)
    }
}
