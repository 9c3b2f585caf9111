/// A task of a model, which is cancelled when another takes its place and when the model is released.
@MainActor
package final class OwnedTask {
    package private(set) var task: Task<Void, Never>?

    package nonisolated init() {}

    deinit { task?.cancel() }

    /// Whether a task was started and hasn't been cancelled or ended.
    package var isActive: Bool { task != nil }

    /// Starts a task in place of the current one.
    package func start(_ body: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { await body() }
    }

    /// Cancels the task.
    package func cancel() {
        task?.cancel()
        task = nil
    }

    /// Records that the task has ended.
    package func end() { task = nil }
}
