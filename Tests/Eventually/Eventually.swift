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

/// Measures how long something takes, and by how much a task that only sleeps is late meanwhile: other tests use the
/// processors, too. A test that has a limit of real time adds the lateness to it.
package func measured(_ body: () async throws -> Void) async rethrows -> (time: Duration, lateness: Duration) {
    let sleeper = Task<Duration, Never> {
        var lateness = Duration.zero
        while !Task.isCancelled {
            let end = ContinuousClock.now + .milliseconds(20)
            try? await Task.sleep(until: end, clock: .continuous)
            lateness += max(ContinuousClock.now - end, .zero)
        }
        return lateness
    }
    defer { sleeper.cancel() }
    let start = ContinuousClock.now
    try await body()
    let time = ContinuousClock.now - start
    sleeper.cancel()
    return (time, await sleeper.value)
}
