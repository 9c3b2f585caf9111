import Eventually
import Foundation
import GRDB
import Groundwork
import JMAP
import ReplicaTesting
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct PictureSourceTests {
    private static let host = "https://cdn.example.com/"
    private let web = PictureWeb()
    private let notes: TemporaryStore

    init() throws { notes = try TemporaryStore(.illustrated) }

    private func source(budget: Int = 1_000, _ change: (inout PictureLimits) -> Void = { _ in }) -> PictureSource {
        var limits = PictureLimits()
        change(&limits)
        return PictureSource(notes.store, transport: web.transport, budget: budget, limits: limits)
    }

    /// The names of the pictures that a note's reader gets.
    private static func read(
        _ names: [String],
        of id: String = "n",
        from source: PictureSource,
        fetches: Bool = true
    ) async throws -> [String] {
        let addresses = names.map { host + $0 }
        let pictures = try await source.pictures(addresses, of: .illustrated, id: id, fetches: fetches)
        return pictures.keys.map { $0.replacing(host, with: "") }.sorted()
    }

    private func requested() -> [String] { web.requested.map { $0.replacing(Self.host, with: "") } }

    private func stored() async throws -> [String] {
        try await notes.store.read { db in
            try String.fetchAll(db, sql: "SELECT id || ' ' || url FROM picture WHERE size > 0 ORDER BY 1")
        }.map { $0.replacing(Self.host, with: "") }
    }

    @Test func `a picture is fetched once and then stored`() async throws {
        try await notes.pull(note("n"))
        web.put(Self.host + "a")
        #expect(try await Self.read(["a"], from: source()) == ["a"])
        // Another source has the same store, as after a restart.
        web.transport.fail(with: .unreachable)
        let next = source()
        #expect(try await Self.read(["a"], from: next) == ["a"])
        #expect(try await Self.read(["a"], from: next, fetches: false) == ["a"])
        #expect(requested() == ["a"])
    }

    @Test func `without fetching, the network isn't used`() async throws {
        try await notes.pull(note("n"))
        web.put(Self.host + "a")
        #expect(try await Self.read(["a"], from: source(), fetches: false) == [])
        #expect(requested() == [])
    }

    @Test func `a picture that fails is tried again later, and not at each reading`() async throws {
        try await notes.pull(note("n"))
        let source = source()
        #expect(try await Self.read(["a"], from: source) == [])
        #expect(try await Self.read(["a"], from: source) == [])
        notes.clock.advance(by: 59)
        #expect(try await Self.read(["a"], from: source) == [])
        #expect(requested() == ["a"])
        notes.clock.advance(by: 1)
        #expect(try await Self.read(["a"], from: source) == [])
        // The second pause is longer.
        notes.clock.advance(by: 119)
        #expect(try await Self.read(["a"], from: source) == [])
        #expect(requested() == ["a", "a"])
        notes.clock.advance(by: 1)
        web.put(Self.host + "a")
        #expect(try await Self.read(["a"], from: source) == ["a"])
        #expect(requested() == ["a", "a", "a"])
    }

    @Test func `two readers at once cause one fetch`() async throws {
        try await notes.pull(note("n"), note("m"))
        for name in ["a", "b", "c"] { web.put(Self.host + name) }
        web.hold(true)
        let source = source()
        async let first = Self.read(["a", "b"], from: source)
        #expect(try await eventually { web.held == 2 })
        async let second = Self.read(["b", "c"], from: source)
        // Another record isn't waited for.
        async let other = Self.read(["a"], of: "m", from: source)
        #expect(try await eventually { web.held == 3 })
        web.hold(false)
        #expect(try await first == ["a", "b"])
        #expect(try await second == ["b", "c"])
        #expect(try await other == ["a"])
        #expect(requested().sorted() == ["a", "a", "b", "c"])
    }

    @Test func `a cancelled reader doesn't keep the next one from fetching`() async throws {
        try await notes.pull(note("n"))
        let source = source()
        let clock = notes.clock
        web.transport.answer { request in
            try await clock.sleep(seconds: 3_600)
            return TransportResponse(status: 200, url: request.url)
        }
        let first = Task { try await source.pictures([Self.host + "a"], of: .illustrated, id: "n", fetches: true) }
        #expect(try await eventually { web.requested.count == 1 })
        let waiting = Task { try await source.pictures([Self.host + "a"], of: .illustrated, id: "n", fetches: true) }
        let third = Task { try await source.pictures([Self.host + "a"], of: .illustrated, id: "n", fetches: true) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        web.transport.answer { TransportResponse(status: 200, body: gif(20), url: $0.url) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await third.value.count == 1)
        #expect(requested() == ["a", "a"])
    }

    @Test func `of 10,000 pictures the first 100 are fetched`() async throws {
        try await notes.pull(note("n"))
        let names = (1...10_000).map { "\($0)" }
        for name in names.prefix(200) { web.put(Self.host + name) }
        let source = source(budget: 1_000_000)
        #expect(try await Self.read(names, from: source).count == 100)
        #expect(Set(requested()) == Set(names.prefix(100)))
        #expect(try await Self.read(names, from: source).count == 100)
        #expect(requested().count == 100)
    }

    @Test func `stored pictures count against the message's size`() async throws {
        try await notes.pull(note("n"))
        web.put(Self.host + "a", size: 60)
        web.put(Self.host + "b", size: 60)
        let source = source { $0.messageSize = 100 }
        #expect(try await Self.read(["a"], from: source) == ["a"])
        #expect(try await Self.read(["a", "b"], from: source) == ["a"])
    }

    @Test func `pictures are deleted with their record`() async throws {
        try await notes.pull(note("n"), note("m"))
        web.put(Self.host + "a")
        let source = source()
        _ = try await Self.read(["a", "missing"], of: "n", from: source)
        _ = try await Self.read(["a"], of: "m", from: source)
        #expect(try await stored() == ["m a", "n a"])
        try await notes.store.write { [type = notes.type] writer in try writer.remove(type, ["n"]) }
        #expect(try await stored() == ["m a"])
        let rows = try await notes.store.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM picture") }
        #expect(rows == 1)
        try await notes.store.write { [type = notes.type] writer in try writer.erase([type]) }
        #expect(try await stored() == [])
    }

    @Test func `a record that was removed meanwhile has no pictures`() async throws {
        try await notes.pull(note("n"))
        web.put(Self.host + "a")
        web.hold(true)
        let source = source()
        async let pictures = Self.read(["a"], from: source)
        #expect(try await eventually { web.held == 1 })
        try await notes.store.write { [type = notes.type] writer in try writer.remove(type, ["n"]) }
        web.hold(false)
        #expect(try await pictures == ["a"])
        #expect(try await stored() == [])
    }

    @Test func `pictures are deleted when a record's contents change, and stay otherwise`() async throws {
        try await notes.pull(note("n", ["text": "one", "stars": 1]))
        web.put(Self.host + "a")
        let source = source()
        _ = try await Self.read(["a"], from: source)
        try await notes.pull(note("n", ["text": "one", "stars": 2]))
        _ = try await notes.mark("n", done: "2026-04-02T08:00:00Z")
        #expect(try await stored() == ["n a"])
        try await notes.pull(note("n", ["text": "two", "stars": 2]))
        #expect(try await stored() == [])
        _ = try await Self.read(["a"], from: source)
        try await notes.pull(note("n", ["stars": 2]))
        #expect(try await stored() == [])
    }

    @Test func `over the budget, the pictures of the least recently used record go first`() async throws {
        try await notes.pull(note("n"), note("m"), note("o"))
        for name in ["a", "b", "c"] { web.put(Self.host + name, size: 30) }
        let source = source(budget: 120)
        _ = try await Self.read(["a", "b"], of: "n", from: source)
        notes.clock.advance(by: 7_200)
        _ = try await Self.read(["a", "b"], of: "m", from: source)
        #expect(try await stored() == ["m a", "m b", "n a", "n b"])
        notes.clock.advance(by: 7_200)
        // Reading counts as a use.
        _ = try await Self.read(["a"], of: "n", from: source, fetches: false)
        notes.clock.advance(by: 7_200)
        #expect(try await Self.read(["c"], of: "o", from: source) == ["c"])
        #expect(try await stored() == ["n a", "n b", "o c"])
    }

    @Test func `a budget of 0 stores no picture, and they are shown`() async throws {
        try await notes.pull(note("n"))
        web.put(Self.host + "a")
        #expect(try await Self.read(["a"], from: source(budget: 0)) == ["a"])
        #expect(try await stored() == [])
    }

    @Test func `a picture that can't be stored is shown and fetched again`() async throws {
        let isFull = Locked(false)
        let notes = try TemporaryStore(.illustrated) { moment in
            if moment == .commits, isFull.withLock({ $0 }) {
                throw StoreError.full(DatabaseError(resultCode: .SQLITE_FULL))
            }
        }
        try await notes.pull(note("n"))
        web.put(Self.host + "a")
        let source = PictureSource(notes.store, transport: web.transport, budget: 1_000)
        isFull.withLock { $0 = true }
        let addresses = [Self.host + "a"]
        #expect(try await source.pictures(addresses, of: notes.type, id: "n", fetches: true).count == 1)
        #expect(try await source.pictures(addresses, of: notes.type, id: "n", fetches: false).isEmpty)
        isFull.withLock { $0 = false }
        #expect(try await source.pictures(addresses, of: notes.type, id: "n", fetches: true).count == 1)
        #expect(requested() == ["a", "a"])
    }

    @Test func `closing ends the requests under way`() async throws {
        try await notes.pull(note("n"))
        let source = source()
        let clock = notes.clock
        web.transport.answer { request in
            try await clock.sleep(seconds: 3_600)
            return TransportResponse(status: 200, url: request.url)
        }
        let reader = Task { try await source.pictures([Self.host + "a"], of: .illustrated, id: "n", fetches: true) }
        #expect(try await eventually { web.requested.count == 1 })
        await source.close()
        await #expect(throws: StoreError.self) { try await reader.value }
        await #expect(throws: StoreError.self) { try await Self.read(["a"], from: source) }
        #expect(requested() == ["a"])
    }
}

extension RecordType {
    /// Notes whose text has pictures.
    fileprivate static let illustrated = RecordType(
        name: "Note",
        capability: noteCapability,
        table: "note",
        columns: note.columns,
        phase: note.phase,
        due: note.due,
        window: note.window,
        pictures: PictureRule(contents: "text")
    )
}
