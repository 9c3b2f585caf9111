import Eventually
import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// Pictures that records share, such as those of cards.
@Suite(.timeLimit(.minutes(5))) struct SharedPicturesTests {
    private static let host = "https://cdn.example.com/"
    private let web = PictureWeb()
    private let notes: TemporaryStore

    init() throws { notes = try TemporaryStore() }

    private func pictures(budget: Int = 1_000, _ change: (inout PictureLimits) -> Void = { _ in }) -> SharedPictures {
        var limits = PictureLimits()
        change(&limits)
        return SharedPictures(
            notes.store,
            type: notes.type,
            transport: web.transport,
            budget: budget,
            limits: limits
        )
    }

    private func requested() -> [String] { web.requested.map { $0.replacing(Self.host, with: "") } }

    private func stored() async throws -> [String] {
        try await notes.store.read { db in
            try String.fetchAll(db, sql: "SELECT url FROM picture WHERE size > 0 ORDER BY 1")
        }.map { $0.replacing(Self.host, with: "") }
    }

    /// Lets requests wait for an hour.
    private func stall() {
        let clock = notes.clock
        web.transport.answer { request in
            try await clock.sleep(seconds: 3_600)
            return TransportResponse(status: 200, url: request.url)
        }
    }

    @Test func `a shared picture is fetched once and then stored`() async throws {
        web.put(Self.host + "a")
        #expect(try await pictures().picture(Self.host + "a") == .picture(Data(gif(20))))
        // Another one has the same store, as after a restart.
        web.transport.fail(with: .unreachable)
        #expect(try await pictures().picture(Self.host + "a") == .picture(Data(gif(20))))
        #expect(requested() == ["a"])
    }

    @Test func `callers of one address share a load, and all get it`() async throws {
        web.put(Self.host + "a")
        web.hold(true)
        // With a budget of 0 nothing is found in the store, either.
        let pictures = pictures(budget: 0)
        async let first = pictures.picture(Self.host + "a")
        #expect(try await eventually { web.held == 1 })
        async let second = pictures.picture(Self.host + "a")
        async let third = pictures.picture(Self.host + "a")
        #expect(try await eventually { await pictures.callerCount(Self.host + "a") == 3 })
        web.hold(false)
        let all = try await [first, second, third]
        #expect(all == Array(repeating: .picture(Data(gif(20))), count: 3))
        #expect(requested() == ["a"])
    }

    @Test func `a load ends with its last caller, and not before`() async throws {
        stall()
        let pictures = pictures()
        let first = Task { try await pictures.picture(Self.host + "a") }
        let second = Task { try await pictures.picture(Self.host + "a") }
        #expect(try await eventually { await pictures.callerCount(Self.host + "a") == 2 })
        #expect(try await eventually { web.requested.count == 1 })
        first.cancel()
        #expect(try await eventually { await pictures.callerCount(Self.host + "a") == 1 })
        second.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second.value }
        // The next caller isn't given what was cancelled.
        web.transport.answer { TransportResponse(status: 200, body: gif(20), url: $0.url) }
        #expect(try await pictures.picture(Self.host + "a") == .picture(Data(gif(20))))
        #expect(requested() == ["a", "a"])
    }

    @Test func `a few are fetched at a time, and a cancelled one makes room`() async throws {
        let names = ["a", "b", "c", "d"]
        for name in names { web.put(Self.host + name) }
        web.hold(true)
        let pictures = pictures { $0.concurrent = 2 }
        let loads = names.map { name in Task { try await pictures.picture(Self.host + name) } }
        #expect(try await eventually { web.held == 2 })
        #expect(try await eventually { await pictures.waitingCount == 2 })
        let waiting = try #require(names.indices.first { !requested().contains(names[$0]) })
        loads[waiting].cancel()
        await #expect(throws: CancellationError.self) { try await loads[waiting].value }
        web.hold(false)
        for index in names.indices where index != waiting {
            #expect(try await loads[index].value == .picture(Data(gif(20))))
        }
        #expect(web.mostRunning == 2 && requested().count == 3)
        // The places are free again.
        #expect(try await pictures.picture(Self.host + names[waiting]) == .picture(Data(gif(20))))
    }

    @Test func `an unreachable picture is tried at each call, an unusable one a day later`() async throws {
        let pictures = pictures()
        #expect(try await pictures.picture(Self.host + "a") == .unreachable)
        #expect(try await pictures.picture(Self.host + "a") == .unreachable)
        #expect(requested() == ["a", "a"])
        web.put(Self.host + "b", PictureWeb.Answer(body: Array("<html>".utf8)))
        web.put(Self.host + "c", size: 5 << 20 + 1)
        web.put(Self.host + "d", PictureWeb.Answer(status: 404))
        for name in ["b", "c", "d"] {
            #expect(try await pictures.picture(Self.host + name) == .unusable)
            #expect(try await pictures.picture(Self.host + name) == .unusable)
        }
        #expect(requested() == ["a", "a", "b", "c", "d"])
        web.put(Self.host + "b")
        notes.clock.advance(by: 24 * 3_600)
        #expect(try await pictures.picture(Self.host + "b") == .picture(Data(gif(20))))
    }

    @Test(arguments: ["ftp://cdn.example.com/a", "myapp://a", "file:///a", "http://192.168.1.1/a", "a", ""])
    func `an address that isn't of the public web isn't fetched`(_ address: String) async throws {
        #expect(try await pictures().picture(address) == .unusable)
        #expect(requested().isEmpty)
    }

    @Test func `a picture that takes too long is unreachable`() async throws {
        stall()
        let pictures = pictures()
        async let outcome = pictures.picture(Self.host + "a")
        #expect(try await eventually { web.requested.count == 1 })
        #expect(
            try await eventually {
                notes.clock.advance(by: 10)
                return await pictures.callerCount(Self.host + "a") == 0
            }
        )
        #expect(try await outcome == .unreachable)
    }

    @Test func `shared pictures stay within the budget and are deleted after 30 days`() async throws {
        for name in ["a", "b", "c"] { web.put(Self.host + name, size: 40) }
        let pictures = pictures(budget: 100)
        for name in ["a", "b", "a", "c"] {
            _ = try await pictures.picture(Self.host + name)
            notes.clock.advance(by: 7_200)
        }
        // The second reading of the first one counts as a use.
        #expect(try await stored() == ["a", "c"])
        notes.clock.advance(by: 29 * 86_400)
        _ = try await pictures.picture(Self.host + "c")
        notes.clock.advance(by: 86_400)
        _ = try await pictures.picture(Self.host + "d")
        web.put(Self.host + "e", size: 10)
        _ = try await pictures.picture(Self.host + "e")
        #expect(try await stored() == ["c", "e"])
    }

    @Test func `a record's removal leaves shared pictures`() async throws {
        try await notes.pull(note("n"))
        web.put(Self.host + "a")
        _ = try await pictures().picture(Self.host + "a")
        try await notes.store.write { [type = notes.type] writer in try writer.remove(type, ["n"]) }
        #expect(try await stored() == ["a"])
    }

    @Test func `closing ends loads under way and those that wait`() async throws {
        stall()
        let pictures = pictures { $0.concurrent = 1 }
        let loads = ["a", "b"].map { name in Task { try await pictures.picture(Self.host + name) } }
        #expect(try await eventually { await pictures.waitingCount == 1 })
        await pictures.close()
        for load in loads { await #expect(throws: StoreError.self) { try await load.value } }
        await #expect(throws: StoreError.self) { try await pictures.picture(Self.host + "c") }
    }
}
