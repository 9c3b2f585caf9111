import Eventually
import Groundwork
import InboxTesting
import InboxViews
import Observation
import Replica
import Screens
import Testing

/// What snapshots, refreshes and extensions mean for a list on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct PagedListTests {
    private struct Item: Identifiable, Equatable, Sendable {
        let id: Int
        var text = ""
    }

    private enum Failure: Error, Hashable { case closed, offline, unreadable }

    private enum State: ListState {
        case loading, loaded
        case failed(Failure)
    }

    private typealias List = PagedList<Item, State>
    private typealias Stream = AsyncThrowingStream<List.Page, any Error>

    /// The snapshots of one observation. Each iterator after the first has a stream of its own.
    private struct Snapshots: AsyncSequence, Sendable {
        let first: Stream
        let isUsed = Locked(false)
        let again: @Sendable () -> Stream

        func makeAsyncIterator() -> Stream.AsyncIterator {
            let isFirst = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return !isUsed
            }
            return (isFirst ? first : again()).makeAsyncIterator()
        }
    }

    /// A list with its observations, each held by the test, and a server that answers as the test says.
    @MainActor
    private final class World {
        let list: List
        let clock = ManualClock()
        // Guarded by its lock: iterators are made in any task.
        private let continuations = Locked<[Stream.Continuation]>([])
        /// One for each observation, and for each time that it began again, the newest last.
        var observations: [Stream.Continuation] { continuations.withLock(\.self) }
        /// The pages that were observed.
        private(set) var pages: [Int] = []
        private(set) var snapshots = 0
        private(set) var refreshes = 0
        private(set) var failures = 0

        init(
            hasSynced: Bool = false,
            sync: @escaping @MainActor () async throws -> Void = {}
        ) {
            list = PagedList(
                clock: clock,
                closed: .closed,
                failure: { $0 as? Failure ?? .closed },
                sync: sync,
                hasSynced: { hasSynced }
            )
            list.start(
                observe: { [weak self] in self?.observe() },
                didRefresh: { [weak self] in self?.refreshes += 1 },
                didFail: { [weak self] in self?.failures += 1 }
            )
        }

        private func observe() {
            let begin: @Sendable () -> Stream = { [continuations] in
                let (stream, continuation) = Stream.makeStream()
                continuations.withLock { $0.append(continuation) }
                return stream
            }
            pages.append(list.pages)
            list.follow(Snapshots(first: begin(), again: begin)) { [weak self] page in
                self?.snapshots += 1
                return page
            }
        }

        /// Sends a snapshot, and returns once it is shown.
        func send(
            _ ids: [Int],
            hasSynced: Bool = true,
            hasMore: Bool = false,
            mayHaveMore: Bool = false,
            fetch: (@MainActor () async throws -> Bool)? = nil
        ) async throws {
            let count = snapshots
            yield(ids, hasSynced: hasSynced, hasMore: hasMore, mayHaveMore: mayHaveMore, fetch: fetch)
            try #require(await eventually { snapshots > count })
        }

        func yield(
            _ ids: [Int],
            hasSynced: Bool = true,
            hasMore: Bool = false,
            mayHaveMore: Bool = false,
            fetch: (@MainActor () async throws -> Bool)? = nil,
            to observation: Int? = nil
        ) {
            let page = List.Page(
                ids.map { Item(id: $0) },
                hasSynced: hasSynced,
                hasMore: hasMore,
                mayHaveMore: mayHaveMore,
                fetch: fetch
            )
            observations[observation ?? observations.count - 1].yield(page)
        }

        var ids: [Int] { list.items.map(\.id) }
    }

    // MARK: - State

    @Test func `an empty list is loaded once the device has synced`() async throws {
        let world = World()
        #expect(world.list.state == .loading)
        try await world.send([], hasSynced: false)
        #expect(world.list.state == .loading)
        try await world.send([1], hasSynced: false)
        #expect(world.list.state == .loaded && world.ids == [1])
        try await world.send([], hasSynced: true)
        #expect(world.list.state == .loaded && world.ids == [])
    }

    @Test func `a first sync that fails is the list's failure, until a snapshot has items`() async throws {
        let world = World { throw Failure.offline }
        try await world.send([], hasSynced: false)
        await world.list.refresh()
        #expect(world.list.state == .failed(.offline) && world.list.error == .offline && !world.list.isRefreshing)
        #expect(world.refreshes == 1 && world.failures == 0)
        try await world.send([1])
        #expect(world.list.state == .loaded && world.list.error == .offline)
    }

    @Test func `a failed refresh of items, or of a synced device, is beside the list`() async throws {
        let world = World { throw Failure.offline }
        try await world.send([1], hasSynced: false)
        await world.list.refresh()
        #expect(world.list.state == .loaded && world.list.error == .offline && world.ids == [1])
        // Its first snapshot hasn't arrived yet.
        let synced = World(hasSynced: true) { throw Failure.offline }
        await synced.list.refresh()
        #expect(synced.list.state == .loading && synced.list.error == .offline)
        try await synced.send([])
        #expect(synced.list.state == .loaded)
    }

    @Test func `a failed observation removes the items, and a refresh restarts it`() async throws {
        let world = World()
        try await world.send([1, 2], hasMore: true)
        world.list.loadMore()
        try await world.send([1, 2, 3], hasMore: true)
        world.observations.last?.finish(throwing: Failure.unreadable)
        #expect(try await eventually { world.list.state == .failed(.unreadable) })
        #expect(world.ids == [] && world.list.changes.deletions == [0, 1, 2] && world.failures == 1)
        #expect(!world.list.hasMore && world.list.error == nil)
        await world.list.refresh()
        #expect(world.list.state == .loading && world.pages == [1, 2, 1])
        try await world.send([4])
        #expect(world.list.state == .loaded && world.ids == [4])
    }

    @Test func `a failed observation restarts automatically after growing waits`() async throws {
        let world = World()
        try await world.send([1, 2], hasMore: true)
        for wait in [1.0, 2, 4] {
            let count = world.observations.count
            world.observations.last?.finish(throwing: Failure.unreadable)
            #expect(try await eventually { world.clock.sleeperCount == 1 })
            #expect(world.list.state == .failed(.unreadable) && world.ids == [])
            world.clock.advance(by: wait - 0.1)
            #expect(world.clock.sleeperCount == 1 && world.observations.count == count)
            world.clock.advance(by: 0.1)
            #expect(try await eventually { world.observations.count == count + 1 })
        }
        try await world.send([1, 3], hasMore: true)
        #expect(world.list.state == .loaded && world.ids == [1, 3] && world.list.hasMore)
        // What is shown again ends the row.
        let count = world.observations.count
        world.observations.last?.finish(throwing: Failure.unreadable)
        #expect(try await eventually { world.clock.sleeperCount == 1 })
        world.clock.advance(by: 1)
        #expect(try await eventually { world.observations.count == count + 1 })
    }

    @Test func `a refresh doesn't wait for an observation to restart`() async throws {
        let world = World()
        try await world.send([1])
        world.observations.last?.finish(throwing: Failure.unreadable)
        #expect(try await eventually { world.clock.sleeperCount == 1 })
        await world.list.refresh()
        try await world.send([2])
        #expect(world.list.state == .loaded && world.ids == [2])
        // The wait has ended with the observation that it was for.
        #expect(try await eventually { world.clock.sleeperCount == 0 })
        #expect(world.observations.count == 2)
    }

    @Test func `a list whose snapshots end is closed, and isn't observed again`() async throws {
        let world = World()
        try await world.send([1])
        world.observations.last?.finish()
        #expect(try await eventually { world.list.state == .failed(.closed) })
        #expect(world.ids == [] && world.failures == 1)
        #expect(world.clock.sleeperCount == 0 && world.observations.count == 1)
    }

    @Test func `changes during the first sync are shown at once`() async throws {
        let gate = Gate()
        var syncs = 0
        let world = World {
            syncs += 1
            await gate.wait()
        }
        world.list.beginRefresh()
        #expect(try await eventually { syncs == 1 })
        try await world.send([], hasSynced: false)
        #expect(world.list.state == .loading)
        try await world.send([2], hasSynced: false)
        #expect(world.list.state == .loaded && world.ids == [2] && world.list.isRefreshing)
        try await world.send([1, 2], hasSynced: false, hasMore: true)
        #expect(world.ids == [1, 2] && world.list.changes.insertions == [0] && world.list.hasMore)
        try await world.send([1], hasSynced: false)
        #expect(world.ids == [1] && world.list.changes.deletions == [1] && world.list.isRefreshing)
        await gate.open()
        #expect(try await eventually { !world.list.isRefreshing })
        #expect(world.ids == [1])
    }

    @Test func `snapshots and the end of an earlier observation change nothing`() async throws {
        let world = World()
        try await world.send([1])
        // They are there, and not yet shown.
        world.yield([2])
        world.observations[0].finish(throwing: Failure.unreadable)
        world.list.restart()
        #expect(world.ids == [1])
        try await world.send([3])
        #expect(world.ids == [3] && world.snapshots == 2 && world.failures == 0)
        world.yield([4], to: 0)
        try await world.send([5])
        #expect(world.ids == [5] && world.snapshots == 3)
    }

    @Test func `each snapshot's changes lead from the items before`() async throws {
        let world = World()
        try await world.send([1, 2])
        #expect(world.list.changes.insertions == [0, 1])
        try await world.send([2])
        #expect(world.list.changes.deletions == [0] && world.list.changes.insertions.isEmpty)
        world.list.restart()
        try await world.send([2, 3])
        #expect(world.list.changes.insertions == [1] && world.list.changes.deletions.isEmpty)
        // What is as it was has no changes of its own.
        try await world.send([2, 3])
        #expect(world.list.changes.insertions == [1])
    }

    // MARK: - Extension

    @Test func `an extension without a fetch ends with its first snapshot`() async throws {
        let world = World()
        world.list.loadMore()
        #expect(world.pages == [1] && !world.list.isLoadingMore)
        try await world.send([1], hasMore: true)
        world.list.loadMore()
        world.list.loadMore()
        #expect(world.pages == [1, 2] && world.list.isLoadingMore)
        try await world.send([1, 2])
        #expect(!world.list.isLoadingMore && !world.list.hasMore && world.ids == [1, 2])
    }

    @Test func `an extension fetches once, however many snapshots arrive meanwhile`() async throws {
        let world = World()
        try await world.send([1], mayHaveMore: true)
        #expect(world.list.hasMore)
        let gate = Gate()
        var fetches = 0
        let fetch: @MainActor () async throws -> Bool = {
            fetches += 1
            await gate.wait()
            return false
        }
        world.list.loadMore()
        try await world.send([1], mayHaveMore: true, fetch: fetch)
        #expect(try await eventually { fetches == 1 })
        try await world.send([1, 2], mayHaveMore: true, fetch: fetch)
        #expect(world.list.isLoadingMore && fetches == 1)
        await gate.open()
        #expect(try await eventually { !world.list.isLoadingMore })
        #expect(fetches == 1 && world.list.hasMore && world.list.error == nil && world.pages == [1, 2])
    }

    @Test func `a failed extension can be repeated, which removes its failure`() async throws {
        let world = World()
        try await world.send([1], mayHaveMore: true)
        world.list.loadMore()
        try await world.send([1], mayHaveMore: true) { throw Failure.offline }
        #expect(try await eventually { world.list.error == .offline })
        #expect(!world.list.isLoadingMore && world.list.hasMore && world.list.state == .loaded)
        world.list.loadMore()
        try await world.send([1], mayHaveMore: true) { false }
        #expect(try await eventually { world.list.error == nil && !world.list.isLoadingMore })
    }

    @Test func `when the server has no more, only known items extend the list`() async throws {
        let world = World()
        try await world.send([1], mayHaveMore: true)
        world.list.loadMore()
        try await world.send([1], mayHaveMore: true) { true }
        #expect(try await eventually { !world.list.isLoadingMore })
        #expect(!world.list.hasMore)
        try await world.send([1], mayHaveMore: true)
        #expect(!world.list.hasMore)
        try await world.send([1], hasMore: true, mayHaveMore: true)
        #expect(world.list.hasMore)
        // Of other content nothing is known.
        world.list.restart()
        try await world.send([9], mayHaveMore: true)
        #expect(world.list.hasMore)
    }

    @Test func `items that are known when the server has no more still extend the list`() async throws {
        let world = World()
        try await world.send([1], mayHaveMore: true)
        let gate = Gate()
        world.list.loadMore()
        try await world.send([1], mayHaveMore: true) {
            await gate.wait()
            return true
        }
        try await world.send([1, 2], hasMore: true, mayHaveMore: true) { false }
        await gate.open()
        #expect(try await eventually { !world.list.isLoadingMore })
        #expect(world.list.hasMore)
    }

    @Test(arguments: [false, true])
    func `an extension that other content or a failure overtook changes nothing`(_ fails: Bool) async throws {
        let world = World()
        try await world.send([1], mayHaveMore: true)
        let (gate, ended) = (Gate(), Gate())
        world.list.loadMore()
        try await world.send([1], mayHaveMore: true) {
            await gate.wait()
            Task { await ended.open() }
            throw Failure.offline
        }
        if fails {
            world.observations.last?.finish()
            #expect(try await eventually { world.list.state == .failed(.closed) })
        } else {
            world.list.restart()
            #expect(!world.list.isLoadingMore)
            try await world.send([2], hasMore: true)
            world.list.loadMore()
        }
        await gate.open()
        await ended.wait()
        await Task.yield()
        #expect(world.list.error == nil && world.list.isLoadingMore == !fails && world.list.hasMore == !fails)
    }

    // MARK: - Refresh

    @Test func `a refresh during another takes its place, and its answer counts`() async throws {
        let (first, second) = (Gate(), Gate())
        var syncs = 0
        let world = World {
            syncs += 1
            if syncs == 1 {
                await first.wait()
                throw Failure.offline
            }
            await second.wait()
        }
        world.list.beginRefresh()
        let waiting = Task { await world.list.refresh() }
        #expect(try await eventually { syncs == 2 })
        await first.open()
        #expect(try await eventually { world.list.isRefreshing && world.list.error == nil })
        await second.open()
        await waiting.value
        #expect(!world.list.isRefreshing && world.list.error == nil && world.list.state == .loading)
        #expect(world.refreshes == 1)
    }

    @Test func `a list that failed is loading again while it is refreshed`() async throws {
        let gate = Gate()
        var syncs = 0
        let world = World {
            syncs += 1
            if syncs == 1 { throw Failure.offline }
            await gate.wait()
        }
        await world.list.refresh()
        #expect(world.list.state == .failed(.offline) && world.pages == [1])
        let again = Task { await world.list.refresh() }
        #expect(try await eventually { syncs == 2 })
        #expect(world.list.state == .loading && world.list.isRefreshing && world.pages == [1, 1])
        await gate.open()
        await again.value
        #expect(world.list.state == .loading && world.list.error == nil)
        try await world.send([])
        #expect(world.list.state == .loaded)
    }

    // MARK: - Observers

    @Test func `an observer of one property isn't notified of another's change`() async throws {
        let world = World()
        try await world.send([1], hasMore: true)
        let notified = Locked<[String]>([])
        func observe(_ name: String, _ read: (List) -> Void) {
            withObservationTracking {
                read(world.list)
            } onChange: {
                notified.withLock { $0.append(name) }
            }
        }
        observe("state") { _ = $0.state }
        observe("items") { _ = $0.items }
        observe("hasMore") { _ = $0.hasMore }
        observe("isRefreshing") { _ = $0.isRefreshing }
        observe("isLoadingMore") { _ = $0.isLoadingMore }
        observe("error") { _ = $0.error }
        // Equal, and so unnoticed.
        try await world.send([1], hasMore: true)
        #expect(notified.withLock(\.self) == [])
        try await world.send([1, 2], hasMore: true)
        #expect(notified.withLock(\.self) == ["items"])
        try await world.send([1, 2])
        #expect(notified.withLock(\.self) == ["items", "hasMore"])
    }

    @Test func `a released list stops observing`() async throws {
        weak var released: List?
        do {
            let world = World()
            released = world.list
            try await world.send([1])
        }
        #expect(try await eventually { released == nil })
    }
}
