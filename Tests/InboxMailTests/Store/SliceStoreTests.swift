import Foundation
import Groundwork
import InboxTesting
import JMAP
import Testing

@testable import InboxMail
@testable import Replica

/// The mails that stay on a device with slices.
@Suite(.timeLimit(.minutes(10))) struct SliceStoreTests {
    private let clock = ManualClock()
    private let type = RecordType.mail(.slices).first { $0.name == "Email" }!

    private func withStore(_ body: (MailStore) async throws -> Void) async throws {
        let mail = try MailStore(clock: clock, scope: .slices)
        try await body(mail)
        await mail.close()
    }

    private func slice(_ key: String, wanted: Int? = nil) -> Slice {
        Slice(query: key, filters: [.null], isCollapsed: true, wanted: wanted)
    }

    private func evict(_ mail: MailStore) async throws -> [String] {
        try await mail.store.write { writer in
            try writer.deleteDropped(type, changes: [])
            try writer.evictUnrequested(type, .threads)
        }
        return try await mail.threads().map(\.id).sorted()
    }

    @Test func `threads in no slice are evicted, except those with pending writes or opened`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email("1", "asked", at: 1),
                email("2", "rejected", at: 2),
                email("3", "pending", at: 3),
                email("4", "pending", at: 4),
                email("5", "opened", at: 5)
            )
            try await mail.store.write { writer in
                try writer.use(slice("s"), of: type, active: [])
                try writer.setGroups(["asked": true, "rejected": false], of: slice("s"), type)
                try writer.update(.email, RecordType.keywords, members: ["$seen": true], ids: ["3"])
                try writer.open(["opened"], of: type)
            }
            #expect(try await evict(mail) == ["asked", "opened", "pending"])
            #expect(try await mail.thread("pending")?.messageCount == 2)
            clock.advance(by: 86_401)
            #expect(try await evict(mail) == ["asked", "pending"])
            #expect(try await mail.counts().total == 2)
        }
    }

    @Test func `a used slice is due when it is new or grows, until its groups are stored`() async throws {
        try await withStore { mail in
            func due(_ use: Slice) async throws -> [Int?] {
                try await mail.store.write { writer in
                    try writer.use(use, of: type, active: [])
                    return try writer.db.dueSlices(type).map(\.slice.wanted)
                }
            }
            func settle(_ slice: Slice) async throws {
                try await mail.store.write { writer in try writer.setGroups([:], of: slice, type) }
            }
            #expect(try await due(slice("s", wanted: 10)) == [10])
            try await settle(slice("s", wanted: 10))
            #expect(try await due(slice("s", wanted: 5)) == [])
            #expect(try await due(slice("s", wanted: 20)) == [20])
            try await settle(slice("s", wanted: 10))
            #expect(try await due(slice("s", wanted: 10)) == [20], "a larger request in the meantime is still due")
            try await settle(slice("s", wanted: 20))
            #expect(try await due(slice("s")) == [nil])
            try await settle(slice("s"))
            // A slice that grew by scrolling shrinks again later.
            clock.advance(by: 2 * 86_400)
            #expect(try await due(slice("s", wanted: 10)) == [10])
        }
    }

    @Test func `slices beyond fifty or unused for a month are dropped, except those in use`() async throws {
        try await withStore { mail in
            try await mail.pull(email("1", "first", at: 1), email("2", "used", at: 2))
            func kept() async throws -> Int {
                try await mail.store.read { db in try db.number("SELECT count(*) FROM slice WHERE NOT isDropped") }
            }
            try await mail.store.write { writer in
                for key in ["first", "used"] {
                    try writer.use(slice(key), of: type, active: [])
                    try writer.setGroups([key: true], of: slice(key), type)
                }
            }
            for number in 0..<Slice.maxCount {
                clock.advance(by: 1)
                try await mail.store.write { writer in
                    try writer.use(slice("\(number)"), of: type, active: [slice("used").key])
                }
            }
            #expect(try await kept() == Slice.maxCount)
            #expect(try await evict(mail) == ["used"])
            clock.advance(by: 31 * 86_400)
            try await mail.store.write { writer in try writer.use(slice("last"), of: type, active: [slice("used").key])
            }
            #expect(try await kept() == 2)
            #expect(try await evict(mail) == ["used"])
        }
    }

    @Test func `changes concern stored and inspected threads`() async throws {
        try await withStore { mail in
            try await mail.pull(email("1", "held", at: 1))
            try await mail.store.write { writer in
                try writer.use(slice("s"), of: type, active: [])
                try writer.setGroups(["held": true, "rejected": false], of: slice("s"), type)
                let changes = [("1", "held"), ("2", "rejected"), ("3", "unknown")].map { id, thread in
                    try? JSONText(checking: (["id": .string(id), "threadId": .string(thread)] as JSON).utf8)
                }
                try writer.noteChanges(type, .threads, changes.compactMap { $0 }, removedIDs: [])
                #expect(try writer.db.unconfirmed(type, limit: 9) == ["1"])
                #expect(try writer.db.dueGroups(type) == ["rejected"], "a stored thread lacks no mail")
                #expect(try writer.db.dueSlices(type).count == 1)
                let answer = try JSONText(checking: (["id": "4", "threadId": "held"] as JSON).utf8)
                try writer.noteChanges(type, .threads, [answer], removedIDs: [])
                #expect(try writer.db.dueGroups(type) == ["held", "rejected"])
                #expect(try writer.db.completeGroups(type, ["held"]) == [])
            }
        }
    }
}
