extension AsyncStream<Void> {
    /// Returns a stream that has an element for each of two streams' elements, of which it keeps the newest.
    static func merging<A: AsyncSequence & Sendable, B: AsyncSequence & Sendable>(
        _ one: A,
        _ other: B
    ) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tasks = [
            Task { for try await _ in one { continuation.yield() } },
            Task { for try await _ in other { continuation.yield() } },
        ]
        continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        return stream
    }
}
