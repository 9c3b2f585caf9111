import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct StorageTests {
    private func writer(_ storage: Storage, committed: @escaping @Sendable (WriteEffects) -> Void = { _ in })
        async throws -> Writer
    {
        try await Writer(storage: storage, clock: ManualClock(), random: .system, committed: committed)
    }

    @Test(.onlySQLite) func `SQLite's settings make a commit durable before the response`() async throws {
        try await withFolder { folder in
            let storage = try Storage(file: folder.appending(path: "inbox.sqlite"))
            let settings = try await storage.pool.writeWithoutTransaction { db in
                (
                    try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                    try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                    try Int.fetchOne(db, sql: "PRAGMA foreign_keys"), try Int.fetchOne(db, sql: "PRAGMA fullfsync")
                )
            }
            #expect(settings.0 == "wal")
            #expect(settings.1 == 2)
            #expect(settings.2 == 1)
            #expect(settings.3 == 1)
        }
    }

    @Test func `writes that arrive together share a commit`() async throws {
        try await withFolder { folder in
            let storage = try await TestDatabase.storage(for: folder.appending(path: "inbox.sqlite"))
            let commits = Locked(0)
            let writer = try await writer(storage) { _ in commits.withLock { $0 += 1 } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await writer.write(.person("p\(number)")) { transaction in
                            _ = try transaction.person(named: "p\(number)", advancing: true)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(commits.withLock { $0 } < 200)
            #expect(try await storage.readTables { try $0.value("SELECT count(*) FROM person") } == 200)
        }
    }

    @Test func `a failed write is rolled back without the others in its commit`() async throws {
        struct Refused: Error {}
        try await withFolder { folder in
            let storage = try await TestDatabase.storage(for: folder.appending(path: "inbox.sqlite"))
            let effects = Locked(WriteEffects())
            let writer = try await writer(storage) { later in effects.withLock { $0.merge(later) } }
            let failures = await withTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        do {
                            try await writer.write { transaction in
                                _ = try transaction.person(named: "p\(number)", advancing: true)
                                if number % 3 == 0 { throw Refused() }
                                if number % 3 == 1 {
                                    try transaction.db.run("INSERT INTO person (id) VALUES (1)")
                                }
                            }
                            return 0
                        } catch {
                            return 1
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(failures == 40)
            let names = try await storage.readTables { Set(try $0.values("SELECT name FROM person") as [String]) }
            #expect(names == Set((0..<60).filter { $0 % 3 == 2 }.map { "p\($0)" }))
            #expect(effects.withLock { $0.own.count } == 20)
        }
    }

    @Test func `a state loaded before a commit doesn't hide the commit`() {
        let states = LatestStates(broadcast: 3)
        let start = states.beginLoading(1)
        var effects = WriteEffects()
        effects.own = [1: 8, 2: 4]
        states.apply(effects)
        #expect(states.state(of: 1) == nil)
        let read = PersonState(own: 7, broadcast: 3)
        #expect(states.finishLoading(1, read, begunAt: start) == PersonState(own: 8, broadcast: 3))
        #expect(states.state(of: 1) == PersonState(own: 8, broadcast: 3))
        // The other state wasn't being loaded, so it isn't cached.
        #expect(states.state(of: 2) == nil)
    }

    @Test func `states of a limited number of people are kept, and none that is outdated`() {
        let states = LatestStates(broadcast: 3, limit: 10)
        let early = states.beginLoading(0)
        for person in 1...100 {
            let state = PersonState(own: person, broadcast: 3)
            #expect(states.finishLoading(person, state, begunAt: states.beginLoading(person)) == state)
            #expect(states.state(of: person) == state)
        }
        let known = (0...100).filter { states.state(of: $0) != nil }
        #expect((5...10).contains(known.count) && known.allSatisfy { states.state(of: $0)?.own == $0 })
        // The person's entry may have been removed, and with it a commit that it would have noted.
        _ = states.finishLoading(0, PersonState(own: 7, broadcast: 3), begunAt: early)
        #expect(states.state(of: 0) == nil)
    }

    @Test func `after a commit of unknown outcome, states are read until all is read again`() {
        let states = LatestStates(broadcast: 3)
        let before = PersonState(own: 7, broadcast: 3)
        #expect(states.finishLoading(1, before, begunAt: states.beginLoading(1)) == before)
        states.apply(WriteEffects(isIncomplete: true))
        #expect(states.state(of: 1) == nil)
        let after = PersonState(own: 8, broadcast: 4)
        #expect(states.finishLoading(1, after, begunAt: states.beginLoading(1)) == after)
        #expect(states.state(of: 1) == nil)
        #expect(states.beginRestart(of: [1]) == [1: 8])
        states.finishRestart(WriteEffects(own: [1: 8], broadcast: 4), isCurrent: true)
        #expect(states.state(of: 1) == after)
    }

    @Test func `a restart removes people who aren't read and keeps concurrent commits`() {
        let states = LatestStates(broadcast: 3, isCurrent: false)
        for person in 1...2 {
            let state = PersonState(own: 7, broadcast: 3)
            _ = states.finishLoading(person, state, begunAt: states.beginLoading(person))
        }
        let early = states.beginLoading(3)
        #expect(states.beginRestart(of: [1, 4]) == [1: 7])
        states.apply(WriteEffects(own: [1: 9, 4: 2], broadcast: 5))
        // It may have been read before commits that weren't heard of.
        #expect(states.finishLoading(3, PersonState(own: 1, broadcast: 3), begunAt: early).own == 1)
        states.finishRestart(WriteEffects(own: [1: 8, 4: 1], broadcast: 4, surface: 6), isCurrent: true)
        #expect(states.state(of: 1) == PersonState(own: 9, broadcast: 5))
        #expect(states.state(of: 4) == PersonState(own: 2, broadcast: 5))
        #expect(states.state(of: 2) == nil)
        #expect(states.state(of: 3) == nil)
        #expect(states.surface == 6)
        states.suspend()
        #expect(states.state(of: 1) == nil)
    }
}
