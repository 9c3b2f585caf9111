import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct EngineLifecycleTests {
    @Test func `a live engine keeps the lock until it stops being live`() {
        var lifecycle = EngineLifecycle()
        lifecycle.beginLive()
        #expect(lifecycle.isLive && !lifecycle.keepsLock, "the lock isn't acquired yet")
        lifecycle.keepLock()
        #expect(lifecycle.keepsLock)
        let releases = lifecycle.endLive()
        #expect(releases && !lifecycle.isLive && !lifecycle.keepsLock)
    }

    @Test func `during a sign-out, the end of the live connection doesn't release the lock`() {
        var lifecycle = EngineLifecycle()
        lifecycle.beginLive()
        lifecycle.beginSigningOut()
        lifecycle.keepLock()
        let releases = lifecycle.endLive()
        #expect(!releases && !lifecycle.isLive && lifecycle.keepsLock)
    }

    @Test func `an engine is closed once`() {
        var lifecycle = EngineLifecycle()
        #expect(!lifecycle.isClosed)
        let (first, second) = (lifecycle.close(), lifecycle.close())
        #expect(first && !second && lifecycle.isClosed)
    }
}
