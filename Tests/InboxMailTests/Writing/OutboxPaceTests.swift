import Eventually
import Foundation
import Groundwork
import Replica
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

    /// The fastest of several openings: a machine can be busy.
    @Test func `mail opens about as fast with thousands of waiting mails as without`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let devices = [try await StandardDevice(server, clock: clock), try await StandardDevice(server, clock: clock)]
        defer { for device in devices { try? FileManager.default.removeItem(at: device.directory) } }
        for device in devices { try await device.mail.sync() }
        let (full, count) = (devices[1], 2_000)
        let later = clock.now.addingTimeInterval(86_400)
        let waiting = try await full.mail.send(full.mail.draft("Later"), later: later)
        try await full.mail.store.write { writer in
            guard var document = try writer.db.draftDocument(waiting.id) else { return }
            for _ in 1..<count {
                document.id = DraftToken.make(.system)
                document.job.token = document.id
                try writer.put(document)
            }
        }
        for device in devices { await device.mail.close() }
        func open(_ folder: URL, _ drafts: Int) async throws -> Duration {
            let start = ContinuousClock.now
            let device = try await StandardDevice(server, clock: clock, directory: folder)
            _ = try await device.mail.threads(Query(limit: 50))
            #expect(try await device.mail.drafts(Query(limit: 50)).count == min(drafts, 50))
            let duration = ContinuousClock.now - start
            #expect(try await device.mail.draftCount() == drafts)
            await device.mail.close()
            return duration
        }
        var (with, without): ([Duration], [Duration]) = ([], [])
        for _ in 0..<5 {
            without.append(try await open(devices[0].directory, 0))
            with.append(try await open(full.directory, count))
        }
        let (fastest, bare) = (try #require(with.min()), try #require(without.min()))
        #expect(fastest < bare * 3 + .milliseconds(100), "\(fastest) instead of \(bare)")
        // What is due is sent, and nothing before its time.
        let device = try await StandardDevice(server, clock: clock, directory: full.directory)
        try await device.mail.send(device.mail.draft("Now"))
        try await device.settle()
        #expect(server.deliveries.map(\.text) == ["Now"])
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
