import Foundation
import Groundwork
import JMAP

/// The last batch of writes of one epoch, with its response.
struct StoredBatch: Sendable {
    let number: Int
    /// The arguments of the response, as JSON text.
    let outcome: String

    /// The time for which a batch is kept, in seconds. A device that is away for longer runs a full sync.
    static let lifetime: TimeInterval = 30 * 86_400
}

extension WriteTransaction {
    func storedBatch(of epoch: String, for person: Person) throws -> StoredBatch? {
        try db.row("SELECT number, outcome FROM batch WHERE person = ? AND epoch = ?", [person.id, epoch])
            .map { StoredBatch(number: $0[0], outcome: $0[1]) }
    }

    func store(_ batch: StoredBatch, of epoch: String, for person: Person) throws {
        try db.run(
            """
            INSERT INTO batch (person, epoch, number, outcome, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (person, epoch) DO UPDATE SET number = excluded.number, outcome = excluded.outcome,
                at = excluded.at
            """,
            [person.id, epoch, batch.number, batch.outcome, now.milliseconds]
        )
    }

    /// Deletes the responses of a person's oldest epochs beyond the limit. Called when an epoch is new.
    func deleteOldEpochs(of person: Person) throws {
        try db.run(
            """
            DELETE FROM batch WHERE person = ?1 AND epoch IN (
                SELECT epoch FROM batch WHERE person = ?1 ORDER BY at DESC, epoch LIMIT \(Int.max) OFFSET ?2
            )
            """,
            [person.id, limits.epochs]
        )
    }
}
