import Foundation
import GRDB
import Groundwork
import JMAP
import SeededRandom
import ReplicaTesting
import Testing

@testable import Replica

/// Random damage of all kinds to a store's file. Every loss of data that only the device has is reported.
@Suite(.timeLimit(.minutes(10))) struct RandomDamageTests {
    private static let rounds = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 120 : 2_000

    /// The data that only the device has, as comparable text.
    ///
    /// - Parameter isLast: Whether a path with two values has the last written one only.
    private static func own(_ db: Database, isLast: Bool = false) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db,
                sql: """
                    SELECT 'pending ' || type || ' ' || id || ' ' || path || ' ' || value FROM pending AS last
                        WHERE NOT sealed OR NOT :isLast OR NOT EXISTS (SELECT 1 FROM pending WHERE type = last.type AND id = last.id
                            AND path = last.path AND NOT sealed)
                    UNION ALL SELECT 'queued ' || type || ' ' || uid || ' ' || json FROM queued
                    UNION ALL SELECT 'setting ' || name || ' ' || value FROM setting
                    """,
                arguments: ["isLast": isLast]
            )
        )
    }

    /// A closed store, its file, and the data that only this file has.
    private func template() async throws -> (
        notes: TemporaryStore, file: Data, own: Set<String>, last: Set<String>, mine: [Range<Int>]
    ) {
        let notes = try TemporaryStore()
        for number in 1...60 { try await notes.pull(note("n\(number)", ["text": "Some text that fills pages"])) }
        for number in 1...20 { _ = try await notes.mark("n\(number)", done: "2026-05-01T08:00:\(number + 10)Z") }
        _ = try await notes.seal(7)
        for number in 15...40 { _ = try await notes.mark("n\(number)", done: "2026-05-02T08:00:\(number + 10)Z") }
        try await notes.store.write { writer in
            let records = (1...20).map {
                QueuedRecord(uid: "u\($0)", json: ["n": JSON($0), "t": "opened"], isExpendable: $0 % 2 == 0)
            }
            try writer.enqueue(.noteEvent, records)
            for number in 1...5 { try writer.set(setting: "s\(number)", to: "value \(number)") }
        }
        let (own, last, roots) = try await notes.store.read { db in
            (
                try Self.own(db), try Self.own(db, isLast: true),
                try Int.fetchAll(
                    db,
                    sql:
                        "SELECT rootpage FROM sqlite_master WHERE tbl_name IN ('pending', 'queued', 'setting') AND rootpage > 0"
                )
            )
        }
        #expect(FileLock(notes.store.location.lock).acquire(), "as after a sync")
        await notes.store.close()
        let file = try Data(contentsOf: notes.store.location.file)
        return (notes, file, own, last, roots.map { ($0 - 1) * 4096..<$0 * 4096 })
    }

    private static func damaged(_ file: Data, _ random: inout Seeded, aimingAt pages: [Range<Int>]) -> Data {
        var file = file
        func place(_ random: inout Seeded) -> Int {
            let page = pages.randomElement(using: &random) ?? 0..<1
            return Bool.random(using: &random)
                ? Int.random(in: 0..<file.count, using: &random) : Int.random(in: page, using: &random)
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = place(&random)
                file[place] ^= UInt8.random(in: 1...255, using: &random)
            }
        case 5..<7:
            let start = place(&random)
            let end = min(file.count, start + Int.random(in: 1...8_192, using: &random))
            for index in start..<end { file[index] = UInt8.random(in: 0...255, using: &random) }
        case 7..<9:
            let start = place(&random) / 4096 * 4096
            let end = min(file.count, start + 4096 * Int.random(in: 1...3, using: &random))
            file.replaceSubrange(
                start..<end,
                with: [UInt8](repeating: Bool.random(using: &random) ? 0 : 0xA7, count: end - start)
            )
        default:
            file = file.prefix(Int.random(in: 0..<file.count, using: &random))
        }
        return file
    }

    @Test func `a repair reports every write that it has lost or changed`() async throws {
        let (notes, file, own, last, pages) = try await template()
        #expect(own.count == 56 && last.count == 50)
        var (repaired, complete, lossy) = (0, 0, 0)
        for round in 0..<Self.rounds {
            var random = Seeded(UInt64(round))
            let damaged = Self.damaged(file, &random, aimingAt: pages)
            let folder = notes.directory.appendingPathComponent("\(round)")
            let location = StoreLocation(
                directory: folder,
                server: URL(string: "https://inbox.example")!,
                person: "alice"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try damaged.write(to: location.file)
            _ = FileLock(location.lock).acquire()
            var repairs: [ReplicaRepair] = []
            var found: Set<String>?
            // Damage may be found in use. The next opening repairs it.
            for _ in 0..<3 where found == nil {
                let store = try ReplicaStore(at: location, types: [.note], clock: notes.clock)
                if let repair = store.repair { repairs.append(repair) }
                do {
                    found = try await store.read { db in try Self.own(db) }
                } catch StoreError.damaged {
                    // The damage is reported and recorded for the next opening.
                }
                await store.close()
            }
            let isReported = repairs.contains { !$0.isComplete }
            let kept = try #require(found, "round \(round)")
            if !repairs.isEmpty { repaired += 1 }
            if !repairs.isEmpty, !isReported { complete += 1 }
            let (lost, madeUp) = (last.subtracting(kept), kept.subtracting(own))
            if !lost.isEmpty { lossy += 1 }
            #expect(isReported || lost.isEmpty, "round \(round): \(repairs)")
            #expect(madeUp.isEmpty, "round \(round)")
            try FileManager.default.removeItem(at: folder)
        }
        print(
            "random damages: \(Self.rounds), repaired \(repaired), all kept \(complete), data lost and reported \(lossy)"
        )
        #expect(repaired > Self.rounds / 4 && complete > 0 && lossy > 0)
    }
}
