/// Does something on a task of its own, and waits for it.
///
/// A task keeps the memory of its deepest call until it ends. What goes deep on behalf of one that lives as long as a
/// connection is therefore done by another, which ends at once.
func onAPassingTask<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task { try await work() }.value
}
