import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// How often a live outbox asks a server that doesn't take a draft.
@Suite(.timeLimit(.minutes(5))) struct OutboxPaceTests {
    private func creates(_ request: TransportRequest) -> Bool {
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        return text.contains("\"Email/set\"") && text.contains("\"create\":{")
    }

    /// The changes of drafts meanwhile, and the answers to other requests, don't end the wait.
    @Test func `a draft that the server postpones waits for its Retry-After`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await StandardDevice(server, clock: clock) { $0.isLive = true }
        defer { try? FileManager.default.removeItem(at: device.directory) }
        #expect(try await eventually { device.mail.connectionState.isReachable })
        try await device.mail.sync()
        let isBusy = Locked(true)
        device.transport.answer { [self] request in
            guard isBusy.withLock({ $0 }), creates(request) else { return server.answer(request) }
            return TransportResponse(status: 429, headers: ["retry-after": "600"], body: [], url: request.url)
        }
        try await device.mail.save(device.mail.draft("One"), waitsForChanges: false)
        #expect(try await eventually { device.creations == 1 })
        for number in 0..<20 { try await device.mail.save(device.mail.draft("Draft \(number)")) }
        clock.advance(by: 60)
        // A write of its own is later than any that the outbox would have begun.
        for number in 0..<20 { try await device.mail.save(device.mail.draft("Later \(number)")) }
        #expect(device.creations == 1)
        isBusy.withLock { $0 = false }
        let isSaved = try await eventually {
            clock.advance(by: 60)
            return server.mails(in: "drafts").count == 41
        }
        #expect(isSaved)
        await device.mail.close()
    }

    /// The other process holds the lock, and has no network.
    @Test func `an outbox that waits for another process is idle`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let first = try await StandardDevice(server, clock: clock) { $0.isLive = true }
        defer { try? FileManager.default.removeItem(at: first.directory) }
        try await first.mail.sync()
        first.transport.fail(with: .unreachable)
        try await first.mail.save(first.mail.draft("Hello"), waitsForChanges: false)
        #expect(try await eventually { first.creations == 1 })
        let counting = CountingClock(clock)
        let second = try await StandardDevice(server, clock: clock, directory: first.directory) {
            $0.isLive = true
            $0.clock = counting
        }
        #expect(try await eventually { counting.reads > 0 })
        let before = counting.reads
        // Nothing of this reads the clock.
        for _ in 0..<2_000 { _ = try await second.mail.store.read { db in try db.draftDocument("none") } }
        #expect(counting.reads < before + 50)
        await first.mail.close()
        let isSaved = try await eventually {
            clock.advance(by: 2)
            return server.mails(in: "drafts").count == 1
        }
        #expect(isSaved)
        await second.mail.close()
    }
}

/// A clock that counts how often its time is read.
private final class CountingClock: WallClock {
    private let clock: ManualClock
    private let count = Locked(0)

    init(_ clock: ManualClock) {
        self.clock = clock
    }

    var reads: Int { count.withLock { $0 } }

    var now: Date {
        count.withLock { $0 += 1 }
        return clock.now
    }

    func sleep(until time: Date) async throws { try await clock.sleep(until: time) }
}
