import Eventually
import Foundation
import GRDB
import Groundwork
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import InboxServer
@testable import InboxService

/// What a stream sends of the changes around its beginning.
@Suite(.timeLimit(.minutes(5)), .onlySQLite) struct EventStreamTests {
    /// Keeps what a stream writes.
    private struct Collector: ResponseBodyWriter {
        let bytes: Locked<[UInt8]>

        mutating func write(_ buffer: ByteBuffer) async throws {
            bytes.withLock { $0 += Array(buffer.readableBytesView) }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// The client has the head of the answer before the stream runs, and fetches by then.
    @Test func `a commit between the response head and the stream is sent`() async throws {
        try await withFolder { folder in
            let clock = ManualClock()
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let (states, watchers) = (try await LatestStates(in: storage), Watchers())
            let writer = try await Writer(storage: storage, clock: clock, random: .system) { effects in
                states.apply(effects)
                watchers.wake(for: effects)
            }
            let people = People(storage: storage, writer: writer, states: states)
            let token = Tokens.Verified(person: "ann", issuedAt: nil, expiresAt: .distantFuture)
            let person = try await people.person(of: token)
            let source = EventSource(people: people, watchers: watchers, pings: PingSchedule(clock: clock))
            let path = "/jmap/eventsource/?types=*&closeafter=no&ping=0"
            let head = HTTPRequest(method: .get, scheme: "https", authority: "inbox.example", path: path)
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))

            let stream = try await source.stream(for: request, from: person, lease: .unlimited)
            let reader = JSONReader(["to": ["person": "ann"], "message": ["title": "Hello"]])
            let messages = try OutgoingMessages(checking: reader, now: clock.now)
            _ = try await writer.write { transaction in try transaction.send(messages) }
            let state = try await people.latestState(of: person)

            let sent = Locked<[UInt8]>([])
            let running = Task {
                var collector: any ResponseBodyWriter = Collector(bytes: sent)
                try await stream.run(to: &collector)
            }
            let isSent = try await eventually {
                sent.withLock { String(decoding: $0, as: UTF8.self) }.contains("event: state\n")
            }
            #expect(isSent)
            let text = sent.withLock { String(decoding: $0, as: UTF8.self) }
            #expect(text.contains("id: \(state.text)\n"), "\(text)")
            stream.end()
            try await running.value
            await onNewThread { _ = try? storage.pool.close() }
        }
    }
}
