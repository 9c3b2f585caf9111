extension AsyncStream where Element: Sendable {
    /// Returns a stream of the transformed elements.
    ///
    /// Elements are transformed as they arrive, in a separate task. The task ends with this stream, or when the
    /// returned stream's iteration ends.
    ///
    /// - Parameters:
    ///   - count: The number of elements that are buffered for a slow consumer. The oldest are dropped first.
    ///   - transform: The transformation, called in the separate task.
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
