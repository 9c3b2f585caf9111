/// A gate at which tasks wait until it is opened.
package actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var held: [AsyncStream<Void>.Continuation] = []
    /// The number of calls of ``pass()`` so far.
    package private(set) var arrivals = 0

    package init() {}

    package func wait() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    /// Waits until the gate is opened.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that.
    package func pass() async throws {
        arrivals += 1
        guard !isOpen else { return }
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        held.append(signal)
        // The stream also ends with the task's cancellation.
        for await _ in end {}
        try Task.checkCancellation()
    }

    package func open() {
        isOpen = true
        for signal in held { signal.finish() }
        held = []
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
