import GRDB
import Replica
import Testing

@testable import InboxMail

/// The bodies stored on a device.
@Suite(.timeLimit(.minutes(10))) struct StoredBodiesTests {
    @Test(arguments: [StoredBodies.size, StoredBodies.byUse])
    func `queries over all bodies read an index only`(_ sql: String) async throws {
        let mail = try MailStore()
        let plan = try await mail.store.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
        }
        #expect(plan.first == "SCAN emailBody USING COVERING INDEX emailBodyByUse")
        await mail.close()
    }
}
