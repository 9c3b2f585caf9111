import Coverage
import Foundation
import GRDB
import Groundwork
import ReplicaTesting
import JMAP
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct RepairTests {
    /// The kinds of damage to a file. Pending writes that stay readable have to be carried over.
    enum Damage: String, CaseIterable, Sendable {
        case headerIsZeroed, headerIsGarbage, firstPageIsZeroed, allIsGarbage, tooShort, emptied, oneByte, mostIsMissing
        case pageOfRowsIsOverwritten, pageOfPendingIsOverwritten, schemaIsGarbage

        var keepsPending: Bool {
            switch self {
            case .headerIsZeroed, .headerIsGarbage, .pageOfRowsIsOverwritten: true
            default: false
            }
        }

        func inflict(on store: StoreLocation, pageOf page: (String) throws -> Int) throws {
            var file = try Data(contentsOf: store.file)
            func overwrite(_ range: Range<Int>, with byte: UInt8) {
                file.replaceSubrange(range, with: [UInt8](repeating: byte, count: range.count))
            }
            func overwritePage(of table: String) throws {
                let number = try page(table)
                overwrite((number - 1) * 4096..<number * 4096, with: 0xA7)
            }
            switch self {
            case .headerIsZeroed: overwrite(0..<100, with: 0)
            case .headerIsGarbage: overwrite(0..<100, with: 0xA7)
            case .firstPageIsZeroed: overwrite(0..<4096, with: 0)
            case .allIsGarbage: overwrite(0..<file.count, with: 0xA7)
            case .tooShort: file = file.prefix(50)
            case .emptied: file = Data()
            case .oneByte: file = file.prefix(1)
            case .mostIsMissing: file = file.prefix(2 * 4096)
            case .pageOfRowsIsOverwritten: try overwritePage(of: "note")
            case .pageOfPendingIsOverwritten: try overwritePage(of: "pending")
            case .schemaIsGarbage: overwrite(200..<4096, with: 0xA7)
            }
            try file.write(to: store.file)
        }
    }

    /// A closed store with many notes and two pending writes: `n1` is sealed, `n2` isn't.
    func store() async throws -> TemporaryStore {
        let notes = try TemporaryStore()
        for number in 1...300 { try await notes.pull(note("n\(number)", ["text": "Some text that fills pages"])) }
        _ = try await notes.mark("n1", done: "2026-05-01T08:00:00Z")
        _ = try await notes.seal(7)
        _ = try await notes.mark("n2", done: "2026-05-01T09:00:00Z")
        #expect(FileLock(notes.store.location.lock).acquire(), "as after a sync")
        return notes
    }

    func damage(_ notes: TemporaryStore, _ damage: Damage) async throws {
        let pages = try await notes.store.read { db in
            try Row.fetchAll(db, sql: "SELECT name, rootpage FROM sqlite_master WHERE type = 'table'")
                .reduce(into: [String: Int]()) { $0[$1[0]] = $1[1] }
        }
        await notes.store.close()
        try damage.inflict(on: notes.store.location) { try #require(pages[$0]) }
    }

    func reopen(_ notes: TemporaryStore) throws -> ReplicaStore {
        try ReplicaStore(at: notes.store.location, types: [.note], clock: notes.clock)
    }

    func pending(_ store: ReplicaStore) async throws -> [String] {
        try await store.read { db in
            try String.fetchAll(db, sql: "SELECT id || ' ' || path || ' ' || sealed FROM pending ORDER BY rowid")
        }
    }

    @Test func `a pending write with damaged bytes is dropped, and the server's value is shown`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("n1"), note("n2"))
        _ = try await notes.mark("n1", "n2", done: "2026-05-01T08:00:00Z")
        try await notes.store.write { writer in
            try writer.db.execute(sql: "UPDATE pending SET value = '\"2026' WHERE id = 'n1'")
        }
        let dropped = try await notes.store.write { writer in try writer.rejectDamaged(.note) }
        #expect(dropped.map(\.id) == ["n1"] && dropped.map(\.path) == ["doneAt"])
        #expect(try await notes.seal(1)?.entries.map(\.id) == ["n2"])
        let done = try await notes.store.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM note WHERE doneAt IS NOT NULL")
        }
        #expect(done == ["n2"], "the server's value is shown")
        #expect(try await notes.store.write { writer in try writer.rejectDamaged(.note) }.isEmpty)
        await notes.store.close()
    }

    @Test func `queued records of a damaged file are carried over in order`() async throws {
        let notes = try await store()
        let records = (1...3).map { QueuedRecord(uid: "u\($0)", json: ["n": JSON($0)], isExpendable: $0 == 2) }
        try await notes.store.write { writer in try writer.enqueue(.noteEvent, records) }
        try await damage(notes, .headerIsZeroed)
        let repaired = try reopen(notes)
        #expect(try await repaired.read { db in try db.queued(.noteEvent, limit: 10) } == records)
        await repaired.close()
    }

    @Test func `settings of a damaged file are carried over, and a possible loss is reported`() async throws {
        for damage in [Damage.headerIsZeroed, .allIsGarbage] {
            let notes = try await store()
            try await notes.store.write { writer in try writer.set(setting: "s", to: "v") }
            try await self.damage(notes, damage)
            let repaired = try reopen(notes)
            let (value, mayMissRecords) = try await repaired.read { db in
                (try db.setting("s"), try db.mayHaveLostSettings())
            }
            #expect(value == (damage.keepsPending ? "v" : nil))
            #expect(mayMissRecords == !damage.keepsPending)
            await repaired.close()
        }
    }

    @Test(.rulesOut(.exponea111), arguments: Damage.allCases)
    func `a damaged file is set aside and rebuilt with the pending writes`(damage: Damage) async throws {
        let notes = try await store()
        try await self.damage(notes, damage)
        let repaired = try reopen(notes)
        let repair = try #require(repaired.repair)
        #expect(!repair.reason.isEmpty)
        #expect(FileManager.default.fileExists(atPath: repair.damagedFile.path))
        #expect(repair.isComplete == damage.keepsPending)
        #expect(try await repaired.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note") } == 0)
        #expect(try await repaired.read { db in try db.syncPosition(.note) } == nil)
        if damage.keepsPending {
            #expect(repair.carriedOver == 2)
            #expect(try await pending(repaired) == ["n1 doneAt 1", "n2 doneAt 0"])
            let sealed = try await repaired.read { db in try db.sealedWrites(.note) }
            #expect(sealed?.key == Batch(epoch: "e", number: 7))
        }
        // The pending write is shown over the server's value.
        try await repaired.write { writer in
            _ = try writer.apply(.note, [try JSONText(checking: note("n2").utf8)])
        }
        let done = try await repaired.read { db in try Int.fetchOne(db, sql: "SELECT doneAt FROM note WHERE id = 'n2'")
        }
        #expect((done != nil) == damage.keepsPending)
        // The next opening finds no damage.
        await repaired.close()
        let again = try reopen(notes)
        #expect(again.repair == nil)
        await again.close()
    }

    /// Only the outbox of mail has worked, such as without a network.
    @Test(arguments: [0, 1])
    func `a file that lost its contents is set aside, whichever domain was synced`(size: Int) async throws {
        let notes = try TemporaryStore()
        let location = notes.store.location
        let lock = FileLock(location.lock(StoreDomain("outbox", label: "outbox")))
        #expect(lock.acquire())
        lock.release()
        await notes.store.close()
        try Data(repeating: 0x53, count: size).write(to: location.file)
        let repaired = try reopen(notes)
        let repair = try #require(repaired.repair)
        #expect(!repair.isComplete && repair.description.contains(location.damaged.file.path), "\(repair)")
        #expect(try Data(contentsOf: repair.damagedFile).count == size)
        await repaired.close()
    }

    @Test func `pending writes before and after a damaged page are carried over`() async throws {
        let notes = try TemporaryStore()
        let ids = (1...400).map { "n\($0)" }
        for id in ids { try await notes.pull(note(id)) }
        _ = try await notes.store.write { writer in
            try writer.update(
                .note,
                RecordType.note.color,
                to: .string("red " + String(repeating: "x", count: 60)),
                ids: ids
            )
        }
        let root = try await notes.store.read { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'pending'") ?? 0
        }
        await notes.store.close()
        var file = try Data(contentsOf: notes.store.location.file)
        // The table's root page has the page numbers of its leaves: cell pointers follow the header of 12 bytes, and
        // each cell begins with a page number.
        let start = (root - 1) * 4096
        let cells = Int(file[start + 3]) << 8 | Int(file[start + 4])
        let cell = start + (Int(file[start + 12 + cells / 2 * 2]) << 8 | Int(file[start + 13 + cells / 2 * 2]))
        let leaf = file[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        file.replaceSubrange((leaf - 1) * 4096..<leaf * 4096, with: [UInt8](repeating: 0xA7, count: 4096))
        try file.write(to: notes.store.location.file)
        let repaired = try reopen(notes)
        let repair = try #require(repaired.repair)
        #expect(!repair.isComplete)
        let carried = try await pending(repaired).compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(repair.carriedOver == carried.count)
        #expect(carried.count > 200 && carried.count < 400)
        #expect(carried.first == "n1" && carried.last == "n400")
        await repaired.close()
    }

    @Test func `sealed writes without their key are sent in a new batch`() async throws {
        let notes = try await store()
        let page = try await notes.store.read { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'sealedBatch'") ?? 0
        }
        await notes.store.close()
        var file = try Data(contentsOf: notes.store.location.file)
        file.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0xA7, count: 4096))
        try file.write(to: notes.store.location.file)
        let repaired = try reopen(notes)
        #expect(try await pending(repaired) == ["n1 doneAt 0", "n2 doneAt 0"])
        #expect(try await repaired.read { db in try db.sealedWrites(.note) } == nil)
        await repaired.close()
    }

    @Test(arguments: ["", "garbage", String(repeating: "garbage ", count: 10_000)])
    func `a log that is garbage is ignored`(content: String) async throws {
        let notes = try await store()
        await notes.store.close()
        try Data(content.utf8).write(to: notes.store.location.log)
        let again = try reopen(notes)
        #expect(again.repair == nil)
        #expect(try await pending(again).count == 2)
        await again.close()
    }

    @Test func `damage found in use is a typed error, and the next opening repairs it`() async throws {
        let notes = try await store()
        try await self.damage(notes, .pageOfRowsIsOverwritten)
        // The file is larger than the size that each opening checks.
        let file = notes.store.location.file
        let store = try ReplicaStore(at: notes.store.location, types: [.note], clock: notes.clock, checkedSize: 0)
        let error = await #expect(throws: StoreError.self) {
            try await store.read { db in try Int.fetchOne(db, sql: "SELECT sum(length(json)) FROM note") }
        }
        guard case .damaged = error else { throw try #require(error) }
        await store.close()
        let repaired = try ReplicaStore(at: notes.store.location, types: [.note], clock: notes.clock, checkedSize: 0)
        #expect(repaired.repair?.isComplete == true)
        #expect(repaired.repair?.damagedFile.path == file.path + ".damaged")
        #expect(try await pending(repaired).count == 2)
        await repaired.close()
    }

    @Test func `one damaged file is kept, and destroying the store deletes it`() async throws {
        let notes = try await store()
        try await self.damage(notes, .headerIsZeroed)
        let first = try reopen(notes)
        await first.close()
        var data = try Data(contentsOf: notes.store.location.file)
        data.replaceSubrange(0..<4096, with: [UInt8](repeating: 1, count: 4096))
        try data.write(to: notes.store.location.file)
        let second = try reopen(notes)
        #expect(second.repair != nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: notes.directory.path)
        #expect(names.filter { $0.hasSuffix(".damaged") }.count == 1)
        #expect(!names.contains { $0.contains("rebuilt") })
        try await second.destroy()
        #expect(try FileManager.default.contentsOfDirectory(atPath: notes.directory.path) == [])
    }

    @Test(arguments: [false, true])
    func `an interrupted rebuild is completed`(isMoved: Bool) async throws {
        let notes = try await store()
        await notes.store.close()
        let location = notes.store.location
        // The new store is complete. The old one has been moved, or hasn't been.
        try FileManager.default.copyItem(at: location.file, to: location.rebuilt.file)
        if isMoved {
            try FileManager.default.moveItem(at: location.file, to: location.damaged.file)
            try Data("a log of the old file".utf8).write(to: location.log)
        }
        let again = try reopen(notes)
        #expect(try await pending(again).count == 2)
        #expect(!FileManager.default.fileExists(atPath: location.rebuilt.file.path))
        await again.close()
    }

    @Test func `a store that is open elsewhere throws an error after its replacement`() async throws {
        let notes = try await store()
        let other = try reopen(notes)
        #expect(try await pending(other).count == 2)
        try Data().write(to: notes.store.location.damageNote)
        let repaired = try reopen(notes)
        #expect(repaired.repair?.carriedOver == 2)
        await #expect(throws: StoreError.self) {
            try await other.write { writer in try writer.clear(.note) }
        }
        await #expect(throws: StoreError.self) { try await pending(other) }
        await other.close()
        #expect(try await pending(repaired).count == 2)
        await repaired.close()
    }

    // MARK: - Disks

    @Test func `a full disk is a typed error, and nothing is lost`() async throws {
        let notes = try await store()
        let limit = try await notes.store.write { writer in
            let count = try Int.fetchOne(writer.db, sql: "PRAGMA page_count") ?? 0
            return try Int.fetchOne(writer.db, sql: "PRAGMA max_page_count = \(count)")
        }
        #expect(limit != nil)
        let text = String(repeating: "x", count: 100_000)
        let error = await #expect(throws: StoreError.self) {
            try await notes.pull(note("large", ["text": .string(text)]))
        }
        guard case .full = error else { throw try #require(error) }
        #expect(try await notes.ids().count == 300)
        #expect(try await pending(notes.store).count == 2)
        try await notes.store.write { writer in try writer.db.execute(sql: "PRAGMA max_page_count = 1000000") }
        try await notes.pull(note("large", ["text": .string(text)]))
    }

    @Test func `a folder that can't be created is a typed error`() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("replica-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data("a file".utf8).write(to: directory)
        let location = StoreLocation(directory: directory, server: URL(string: "https://a.example")!, person: "alice")
        let error = #expect(throws: StoreError.self) {
            try ReplicaStore(at: location, types: [.note], clock: ManualClock())
        }
        guard case .directory = error else { throw try #require(error) }
    }

    @Test func `a file that can't be opened is a typed error and isn't repaired`() async throws {
        let notes = try await store()
        await notes.store.close()
        let location = notes.store.location
        // A folder in place of the file can't be opened, even by the system's administrator.
        try FileManager.default.moveItem(at: location.file, to: location.damaged.file)
        try FileManager.default.createDirectory(at: location.file, withIntermediateDirectories: false)
        let error = #expect(throws: StoreError.self) { try reopen(notes) }
        guard case .unopened(let path, _) = error else { throw try #require(error) }
        #expect(path == location.file.path)
        #expect(error?.description.contains("The store \(path) can't be opened: ") == true)
        try FileManager.default.removeItem(at: location.file)
        try FileManager.default.moveItem(at: location.damaged.file, to: location.file)
        let again = try reopen(notes)
        #expect(try await pending(again).count == 2)
        await again.close()
    }
}
