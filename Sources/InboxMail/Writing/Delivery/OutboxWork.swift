/// The work of an outbox that is under way in this process.
///
/// - A call that works on all drafts follows the earlier ones that do, in their order.
/// - A call that works on one draft alone follows none: it is done beside the others.
/// - No two calls work on one draft at once. Each begins it with ``begin(_:)``; the others wait until it has ended.
struct OutboxWork {
    typealias Call = Task<Outbox.Progress, any Error>

    /// The calls that work on all drafts, in order.
    private var onAll: [Call] = []
    /// The calls that work on one draft each.
    private var onOne: [Call] = []
    /// By the id of each draft that a call works on: the calls that wait for the end of that.
    private var waiting: [String: [AsyncStream<Void>.Continuation]] = [:]

    /// All calls.
    var calls: [Call] { onAll + onOne }

    /// Returns the calls whose end a new one has to wait for. It waits for each, and not for the last alone: that one
    /// may be cancelled, and end before the others.
    ///
    /// - Parameter id: The draft alone that it works on; nil for all.
    func predecessors(on id: String?) -> [Call] { id == nil ? onAll : [] }

    /// Adds a call, until it is removed.
    ///
    /// - Parameter id: The draft alone that it works on; nil for all.
    mutating func add(_ call: Call, on id: String?) {
        if id == nil { onAll.append(call) } else { onOne.append(call) }
    }

    /// Removes a call that has ended.
    mutating func remove(_ call: Call) {
        onAll.removeAll { $0 == call }
        onOne.removeAll { $0 == call }
    }

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
