/// Polls a condition that other tasks fulfill, for at most two minutes of real time, because a machine can be busy and
/// a sanitizer slow. The pause between two polls grows to 64 ms, so that hundreds of waiting tests don't slow each
/// other down.
///
/// - Returns: Whether the condition was met in time.
package func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    var pause = Duration.milliseconds(2)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(64))
    }
    return false
}
