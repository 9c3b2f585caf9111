/// The drafts that calls are at work on, each by one call at a time.
struct BusyDrafts {
    /// By the draft's id: the calls that wait for the end of the work.
    private var waiting: [String: [AsyncStream<Void>.Continuation]] = [:]

    /// Begins work on a draft.
    ///
    /// - Returns: Nil if it has begun. Otherwise a stream that ends with another call's work on the draft, after which
    ///   it can be begun.
    mutating func begin(_ id: String) -> AsyncStream<Void>? {
        guard waiting[id] != nil else {
            waiting[id] = []
            return nil
        }
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        waiting[id]?.append(signal)
        return end
    }

    /// Ends work on a draft.
    mutating func end(_ id: String) {
        for signal in waiting.removeValue(forKey: id) ?? [] { signal.finish() }
    }
}
