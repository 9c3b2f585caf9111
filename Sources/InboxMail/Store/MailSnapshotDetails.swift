import GRDB
import Replica

/// The values of each snapshot besides its items.
struct MailSnapshotDetails: Hashable, Sendable {
    let counts: MailCounts
    let pendingWrites: Int
    let hasSynced: Bool

    init(_ db: Database) throws {
        counts = MailCounts(try db.counts(.thread))
        pendingWrites = try db.pendingCount(RecordType.mail)
        hasSynced = try db.syncPosition(.email)?.hasSynced ?? false
    }
}
