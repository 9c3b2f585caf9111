/// Looks again and again until something holds that other tasks bring about, for at most two minutes of real time: a
/// machine may be busy, or a sanitizer slow. Less and less often, so that hundreds who wait don't keep each other
/// waiting.
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
