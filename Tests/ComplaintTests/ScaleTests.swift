import Coverage
import Foundation
import GRDB
import Groundwork
import RunningServer
import Testing

@testable import InboxClient
@testable import Replica

/// The work that SQLite does on the device.
@Suite(.timeLimit(.minutes(10))) struct ScaleTests {
    /// Returns the statements that the store's writer runs during a closure.
    private func statements(of phone: Phone, _ body: (Inbox) async throws -> Void) async throws -> [String] {
        let ran = Locked<[String]>([])
        try await trace(phone) { event in ran.withLock { $0.append("\(event)") } }
        try await body(phone.inbox)
        try await trace(phone, nil)
        return ran.withLock { $0 }
    }

    private func trace(_ phone: Phone, _ note: (@Sendable (String) -> Void)?) async throws {
        try await phone.inbox.store.write { writer in
            guard let note else { return writer.db.trace(options: .statement) }
            writer.db.trace(options: .statement) { event in
                if case .statement(let statement) = event { note(statement.sql) }
            }
        }
    }

    @Test(.rulesOut(.flarum4507, .djangoNotifications153, .peerTube6392))
    func `counts, unread lists and reads never scan all messages`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<50, to: "alice")
            let phone = try await Phone.open(server)
            try await phone.inbox.sync()
            var ran = try await statements(of: phone) { inbox in
                try await inbox.markRead(ids[0])
                try await inbox.delete(ids[1])
            }
            ran += try await phone.inbox.store.read { db in
                let ran = Locked<[String]>([])
                db.trace(options: .statement) { event in
                    if case .statement(let statement) = event { ran.withLock { $0.append(statement.sql) } }
                }
                _ = try db.messageCounts(surface: nil)
                _ = try db.messages(.unread, surface: nil, limit: 20, offset: 0)
                _ = try db.message(id: ids[2])
                db.trace(options: .statement)
                return ran.withLock { $0 }
            }
            #expect(ran.contains { $0.contains("UPDATE \"\(RecordType.message.table)\"") })
            try await expectNoScan(ran, phone)
            await phone.inbox.close()
        }
    }

    @Test(.rulesOut(.djangoNotifications153)) func `a sync without news never scans all messages`() async throws {
        try await RunningServer.run { server in
            _ = try await server.send(0..<50, to: "alice")
            let phone = try await Phone.open(server)
            try await phone.inbox.sync()
            let read = Locked<[String]>([])
            // Consecutive reads use one connection.
            try await phone.inbox.store.read { db in
                db.trace(options: .statement) { event in
                    if case .statement(let statement) = event { read.withLock { $0.append(statement.sql) } }
                }
            }
            let written = try await statements(of: phone) { inbox in try await inbox.sync() }
            try await phone.inbox.store.read { db in db.trace(options: .statement) }
            let ran = read.withLock { $0 } + written
            #expect(ran.contains { $0.contains("provisionalUntil") })
            try await expectNoScan(ran, phone)
            await phone.inbox.close()
        }
    }

    /// Expects that statements find their messages by an index.
    private func expectNoScan(_ ran: [String], _ phone: Phone, at location: SourceLocation = #_sourceLocation)
        async throws
    {
        let table = RecordType.message.table
        let relevant = Set(ran).filter { sql in
            ["SELECT", "UPDATE", "INSERT", "DELETE"].contains { sql.hasPrefix($0) }
        }
        for sql in relevant {
            let plan = try await phone.inbox.store.read { db in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
                statement.setUncheckedArguments(StatementArguments())
                return try Row.fetchAll(statement).map { $0["detail"] as String }
            }
            #expect(!plan.contains { Self.isScan($0, of: table) }, "\(sql): \(plan)", sourceLocation: location)
        }
    }

    /// A partial index has only the relevant rows, so it may be scanned.
    private static func isScan(_ step: String, of table: String) -> Bool {
        (step + " ").hasPrefix("SCAN \(table) ")
            && !["_provisional", "_unconfirmed", "_due"].contains { step.hasSuffix("INDEX \(table)\($0)") }
    }

    @Test(.rulesOut(.laravel14788))
    func `marking all read is one transaction, a few statements and one request`() async throws {
        try await RunningServer.run { server in
            var kinds: [Int] = []
            for count in [5, 180] {
                let person = "person\(count)"
                _ = try await server.send(0..<count, to: person)
                let commits = Locked(0)
                let phone = try await Phone.open(server, person: person) {
                    $0.newDeviceLimit = .all
                    $0.writeHook = { moment in if moment == .isCommitted { commits.withLock { $0 += 1 } } }
                }
                try await phone.inbox.sync()
                let before = commits.withLock { $0 }
                let ran = try await statements(of: phone) { inbox in
                    let marked = try await inbox.markAllRead()
                    #expect(marked.count == count)
                }
                // Two of them start and end the trace.
                #expect(commits.withLock { $0 } - before == 3)
                kinds.append(Set(ran).count)
                let earlierRequests = phone.transport.requests.count
                try await phone.inbox.sync()
                #expect(phone.transport.requests.count - earlierRequests == 1)
                #expect(try await phone.inbox.status().pendingWrites == 0)
                #expect(try await phone.inbox.counts().unread == 0)
                await phone.inbox.close()
            }
            #expect(kinds[0] == kinds[1], "for any number of messages")
        }
    }
}
