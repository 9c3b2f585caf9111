import Foundation
import Groundwork
import InboxModel
import JMAP
import Testing

@testable import InboxService

/// Writes of two servers that overlap in time: the first one has done all it does, and commits only once the second one
/// has begun.
@Suite(.timeLimit(.minutes(10)), .onlyPostgreSQL) struct RaceTests {
    private struct Servers {
        let storage: Storage
        let first: Writer
        let second: Writer
    }

    private func withServers(_ body: (Servers) async throws -> Void) async throws {
        try await withFolder { folder in
            let url = try await TestDatabase.address(for: folder.appending(path: "inbox.sqlite"))
            try await withServers(url, body)
        }
    }

    private func withServers(_ url: URL, _ body: (Servers) async throws -> Void) async throws {
        let (one, other) = (try await Storage.open(url), try await Storage.open(url))
        try await one.join()
        try await other.join()
        func writer(_ storage: Storage) async throws -> Writer {
            try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        }
        try await body(Servers(storage: one, first: try await writer(one), second: try await writer(other)))
        try await one.close()
        try await other.close()
    }

    /// Runs two writes that overlap, and returns their results.
    private func overlap<First: Sendable, Second: Sendable>(
        _ servers: Servers,
        _ first: @escaping @Sendable (WriteTransaction) throws -> First,
        _ second: @escaping @Sendable (WriteTransaction) throws -> Second
    ) async throws -> (Result<First, any Error>, Result<Second, any Error>) {
        let (isDone, hasBegun) = (Locked(false), Locked(false))
        async let earlier = result {
            try await servers.first.write { transaction in
                let value = try first(transaction)
                // What is queued is sent with a read.
                _ = try transaction.reading.broadcastState()
                isDone.withLock { $0 = true }
                while !hasBegun.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                // Time in which the other one would read what is about to change, if it didn't wait.
                Thread.sleep(forTimeInterval: 0.2)
                return value
            }
        }
        while !isDone.withLock({ $0 }) { await Task.yield() }
        let later = await result {
            try await servers.second.write { transaction in
                hasBegun.withLock { $0 = true }
                return try second(transaction)
            }
        }
        return (await earlier, later)
    }

    private func result<Value: Sendable>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    private func send(_ servers: Servers, _ to: JSON, _ message: JSON = ["title": "x"]) async throws -> MessageID {
        let reader = JSONReader(["to": to, "message": message] as JSON)
        let messages = try OutgoingMessages(checking: reader, now: SystemClock().now)
        let sent = try await servers.first.write { try $0.send(messages) }
        return try #require(sent["id"]?.stringValue.flatMap { MessageID($0) })
    }

    private func person(_ servers: Servers, _ name: String) async throws -> Person {
        try await servers.first.write { transaction in
            _ = try transaction.person(named: name, advancing: false)
            return try transaction.reading.person(named: name)?.person
        } ?? { throw RecordNotFoundError() }()
    }

    private func setArguments(_ person: Person, _ id: MessageID, readAt: String = "2026-05-01T08:00:00Z") throws
        -> SetArguments
    {
        let update = JSON.object(JSONObject([(id.text, ["readAt": .string(readAt)])]))
        return try SetArguments(reading: JSONReader(["accountId": .string(person.account), "update": update] as JSON))
    }

    private func state(_ servers: Servers, _ id: MessageID) async throws -> (state: Int?, content: String?) {
        try await servers.storage.read { reading in
            let row = try reading.db.row("SELECT state::bigint, content FROM message WHERE id = ?", [id.rawValue])
            return (row?[0], row?[1])
        }
    }

    private let later: JSON = JSON(Date(timeIntervalSinceNow: 3_600))

    @Test func `two concurrent changes of a message are both kept`() async throws {
        try await withServers { servers in
            let id = try await send(servers, ["person": "ann"])
            let title = try MessagePatch(checking: JSONReader(["message": ["title": "New"]] as JSON))
            let body = try MessagePatch(checking: JSONReader(["message": ["body": "Text"]] as JSON))
            _ = try await overlap(servers, { try $0.patch(id, title) }, { try $0.patch(id, body) })
            let content = try #require(try await state(servers, id).content)
            #expect(content.contains("New") && content.contains("Text"))
        }
    }

    @Test(arguments: [["person": "ann"], ["everyone": true]] as [JSON], [true, false])
    func `a message recalled during its delivery is never shown`(to: JSON, isFirst: Bool) async throws {
        try await withServers { servers in
            let id = try await send(servers, to, ["title": "x", "deliverAt": later])
            try await servers.first.write { try $0.db.run("UPDATE due SET at = 0 WHERE kind = 1") }
            let recall: @Sendable (WriteTransaction) throws -> Bool = { try $0.recall(id) }
            let deliver: @Sendable (WriteTransaction) throws -> Bool = { try $0.runDue() }
            let outcomes =
                isFirst
                ? try await overlap(servers, recall, deliver) : try await overlap(servers, deliver, recall)
            #expect(try isFirst ? outcomes.0.get() : outcomes.1.get())
            let left = try await state(servers, id)
            #expect(left.state == 2 && left.content == "")
            let shown: Int? = try await servers.storage.read { reading in
                try reading.db.value("SELECT count(*) FROM delivery WHERE state < 2")
            }
            #expect(shown == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a person's change of a broadcast that ends leaves no row of it`(endsFirst: Bool) async throws {
        try await withServers { servers in
            let id = try await send(servers, ["everyone": true])
            let ann = try await person(servers, "ann")
            let arguments = try setArguments(ann, id)
            let set: @Sendable (WriteTransaction) throws -> Bool = { try !$0.set(arguments, for: ann).isEmpty }
            let recall: @Sendable (WriteTransaction) throws -> Bool = { try $0.recall(id) }
            _ = endsFirst ? try await overlap(servers, recall, set) : try await overlap(servers, set, recall)
            let rows: [Int] = try await servers.storage.read { reading in
                try reading.db.values("SELECT state::bigint FROM delivery WHERE message = ?", [id.rawValue])
            }
            #expect(!rows.contains(1))
        }
    }

    @Test func `a response has no later state than what it has seen`() async throws {
        try await withServers { servers in
            let id = try await send(servers, ["person": "ann"])
            let ann = try await person(servers, "ann")
            let arguments = try setArguments(ann, id)
            let broadcast = try OutgoingMessages(
                checking: JSONReader(["to": ["everyone": true], "message": ["title": "x"]] as JSON),
                now: SystemClock().now
            )
            // The broadcast commits between the first statement of the change and its last one.
            let other = servers.second
            let answer = try await servers.first.write { transaction in
                _ = try transaction.reading.state(of: ann)
                let isSent = Locked(false)
                Task {
                    _ = try? await other.write { try $0.send(broadcast) }
                    isSent.withLock { $0 = true }
                }
                let answer = try transaction.set(arguments, for: ann)
                while !isSent.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                return answer
            }
            let states = try JSON(parsing: Array(answer.utf8))
            let (old, new) = (states["oldState"]?.stringValue ?? "", states["newState"]?.stringValue ?? "")
            #expect(PersonState(old)?.broadcast == PersonState(new)?.broadcast)
        }
    }

    @Test func `content goes with its last two recipients, who are erased at the same time`() async throws {
        try await withServers { servers in
            let id = try await send(servers, ["people": ["ann", "bob"]])
            _ = try await overlap(
                servers,
                { try $0.erase("ann", receipt: "e1", by: .tool).erasure.id },
                { try $0.erase("bob", receipt: "e2", by: .tool).erasure.id }
            )
            #expect(try await state(servers, id).content == "")
        }
    }

    @Test func `of two changes of a surface with one tag, the second is refused`() async throws {
        try await withServers { servers in
            let settings = try InboxSettings(checking: JSONReader(["title": "One"] as JSON))
            let other = try InboxSettings(checking: JSONReader(["title": "Two"] as JSON))
            let tag = try await servers.first.write { try $0.put(settings, of: "news", if: .none).surface.tag }
            let outcomes = try await overlap(
                servers,
                { try $0.put(other, of: "news", if: Preconditions(ifMatch: tag, ifNoneMatch: nil)).isNew },
                { try $0.deleteSurface("news", if: Preconditions(ifMatch: tag, ifNoneMatch: nil)) }
            )
            #expect(throws: SurfaceChanged.self) { try outcomes.1.get() }
            for _ in 0..<2 {
                let deleted = try await overlap(
                    servers,
                    { try $0.deleteSurface("news", if: .none) },
                    { try $0.put(settings, of: "news", if: .none).isNew }
                )
                #expect(try deleted.0.get() && deleted.1.get())
            }
        }
    }

    @Test func `the last keys that can create others aren't both revoked`() async throws {
        try await withServers { servers in
            let keys = try await servers.first.write { transaction in
                try (1...2).map { number in
                    let body: JSON = ["name": .string("k\(number)"), "scopes": JSON(Scope.allCases.map(\.rawValue))]
                    let key = try NewAPIKey(checking: JSONReader(body), now: transaction.now)
                    return try transaction.insert(key, hash: Data([UInt8(number)]), by: .tool).id
                }
            }
            let holder = APIKeys.Holder(id: keys[0].rawValue, scopes: Set(Scope.allCases))
            let outcomes = try await overlap(
                servers,
                { try $0.revoke(keys[0], by: holder) },
                { try $0.revoke(keys[1], by: holder) }
            )
            #expect(try outcomes.0.get() != nil)
            #expect(throws: LastKey.self) { try outcomes.1.get() }
        }
    }
}
