extension AsyncStream where Element: Sendable {
    /// What each element becomes, as it comes, on a task of its own, which ends with this stream or with whoever
    /// listens.
    ///
    /// - Parameters:
    ///   - count: How many wait for a listener that is slow; the oldest are dropped first.
    ///   - transform: Run on that task.
    package func mapped<Value: Sendable>(
        keepingNewest count: Int,
        _ transform: @escaping @Sendable (Element) -> Value
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(count))
        let task = Task {
            for await element in self { continuation.yield(transform(element)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
