/// Looks again and again until something holds that other tasks bring about, for at most half a minute of real time: a machine may be
/// busy, or a sanitizer slow.
package func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(2))
    }
    return false
}
