import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import JMAP
import Testing

@testable import Replica

/// Columns of members, such as a mail's keywords. Each member is written separately.
@Suite(.timeLimit(.minutes(5))) struct MembersTests {
    private static let type = RecordType(
        name: "Item",
        capability: "https://example.com/items",
        table: "item",
        columns: [RecordColumn("tags", .members, missing: .text("[]"), isWritable: true)],
        window: .everything(sort: [["property": "id"]]),
        repeatDetection: .byComparing
    )

    private func withStore(_ body: (ReplicaStore) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("members-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let location = StoreLocation(directory: directory, server: URL(string: "https://items.example")!, person: "ann")
        let store = try ReplicaStore(at: location, types: [Self.type], clock: ManualClock())
        try await body(store)
        await store.close()
    }

    private func item(_ id: String, _ tags: String...) -> JSON {
        ["id": .string(id), "tags": MemberSet(tags).json]
    }

    private func pull(_ store: ReplicaStore, _ items: JSON...) async throws {
        try await store.write { writer in try writer.apply(Self.type, items.map { try JSONText(checking: $0.utf8) }) }
    }

    private func set(_ store: ReplicaStore, _ changes: [String: Bool], _ ids: String...) async throws -> [String] {
        try await store.write { writer in
            try writer.update(Self.type, Self.type.columns[0], members: changes, ids: ids)
        }
    }

    private func tags(_ store: ReplicaStore, _ id: String, _ column: String = "tags") async throws -> [String] {
        try await store.read { db in
            MemberSet(
                text: try String.fetchOne(db, sql: "SELECT \(column) FROM item WHERE id = ?", arguments: [id]) ?? ""
            )
            .names
        }
    }

    private func pending(_ store: ReplicaStore) async throws -> [String] {
        try await store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT id || ' ' || path || ' ' || value || CASE sealed WHEN 1 THEN ' sealed' ELSE '' END FROM pending "
                    + "ORDER BY id, path, sealed DESC"
            )
        }
    }

    private func seal(_ store: ReplicaStore) async throws -> SealedWrites {
        let sealed = try await store.write { writer in
            _ = try writer.seal(Self.type, as: Batch(epoch: "e", number: 1), limit: 100)
            return try writer.sealedWrites(Self.type)
        }
        return try #require(sealed)
    }

    @Test func `a member set survives its text form and drops invalid names`() {
        let members = MemberSet(["$seen", "a/b~c", "x", "x", "", "sp ace", "quo\"te", "back\\slash", "ünicode"])
        #expect(members.names == ["$seen", "a/b~c", "x"])
        #expect(MemberSet(text: members.text) == members)
        #expect(MemberSet(members.json) == members)
        #expect(MemberSet(["a": true, "b": false, "c": .null]).names == ["a"])
        #expect(MemberSet(text: "") == MemberSet() && MemberSet(text: "[]") == MemberSet())
    }

    @Test func `a stored text with a name twice, or in another order, gives each name once`() {
        let members = MemberSet(text: "[\"b\",\"a\",\"b\"]")
        #expect(members.names == ["a", "b"])
        #expect(members.json == ["a": true, "b": true])
    }

    @Test func `a write sets the effective value and stores one entry per member`() async throws {
        try await withStore { store in
            try await pull(store, item("a", "one", "two"))
            #expect(try await set(store, ["two": false, "three/x": true, "one": true], "a", "missing") == ["a"])
            #expect(try await tags(store, "a") == ["one", "three/x"])
            #expect(try await tags(store, "a", "server_tags") == ["one", "two"])
            #expect(try await pending(store) == ["a tags/three~1x true", "a tags/two null"])
            #expect(try await set(store, ["one": true], "a") == [], "the value is unchanged")
        }
    }

    @Test func `the server's changes of other members appear next to a pending member`() async throws {
        try await withStore { store in
            try await pull(store, item("a", "one"))
            _ = try await set(store, ["mine": true], "a")
            try await pull(store, item("a", "theirs"))
            #expect(try await tags(store, "a") == ["mine", "theirs"])
            let sealed = try await seal(store)
            #expect(sealed.update == ["a": ["tags/mine": true]])
            _ = try await store.write { writer in try writer.answer(Self.type, sealed, refused: []) }
            #expect(try await tags(store, "a", "server_tags") == ["mine", "theirs"])
            #expect(try await pending(store).isEmpty)
        }
    }

    @Test func `a member set and cleared, leaves nothing before sending, sends both in flight`() async throws {
        try await withStore { store in
            try await pull(store, item("a"))
            _ = try await set(store, ["x": true], "a")
            _ = try await set(store, ["x": false], "a")
            #expect(try await pending(store).isEmpty)
            _ = try await set(store, ["x": true], "a")
            let sealed = try await seal(store)
            _ = try await set(store, ["x": false], "a")
            #expect(try await pending(store) == ["a tags/x true sealed", "a tags/x null"])
            _ = try await store.write { writer in try writer.answer(Self.type, sealed, refused: []) }
            #expect(try await tags(store, "a") == [])
            #expect(try await tags(store, "a", "server_tags") == ["x"])
            #expect(try await pending(store) == ["a tags/x null"])
        }
    }

    @Test func `a refusal shows the server's members with newer writes over them`() async throws {
        try await withStore { store in
            try await pull(store, item("a", "one"))
            _ = try await set(store, ["x": true, "one": false], "a")
            let sealed = try await seal(store)
            _ = try await set(store, ["later": true], "a")
            let lost = try await store.write { writer in try writer.answer(Self.type, sealed, refused: ["a"]) }
            #expect(lost.count == 2)
            #expect(try await tags(store, "a") == ["later", "one"])
            #expect(try await pending(store) == ["a tags/later true"])
        }
    }

    @Test func `after a lost answer, only writes that the server lacks are sent again`() async throws {
        try await withStore { store in
            try await pull(store, item("a"), item("b"))
            _ = try await set(store, ["x": true], "a", "b")
            _ = try await seal(store)
            // The answer was lost. The records were fetched since then, one of them with the write.
            try await pull(store, item("a", "x"))
            try await store.write { writer in try writer.resolveUnansweredWrites(Self.type) }
            #expect(try await pending(store) == ["b tags/x true"])
            #expect(try await tags(store, "a") == ["x"])
            #expect(try await tags(store, "b") == ["x"])
            // A removed record has no pending writes.
            _ = try await seal(store)
            try await store.write { writer in
                try writer.remove(Self.type, ["b"])
                try writer.resolveUnansweredWrites(Self.type)
            }
            #expect(try await pending(store).isEmpty)
        }
    }

    @Test func `one write changes the members of 500 records`() async throws {
        try await withStore { store in
            let items = (0..<500).map { item("i\($0)", "old") }
            try await store.write { writer in try writer.apply(Self.type, items.map { try JSONText(checking: $0.utf8) })
            }
            let ids = (0..<500).map { "i\($0)" }
            let changed = try await store.write { writer in
                try writer.update(Self.type, Self.type.columns[0], members: ["old": false, "new": true], ids: ids)
            }
            #expect(changed == ids)
            #expect(try await store.read { db in try db.pendingCount([Self.type]) } == 500)
        }
    }
}
