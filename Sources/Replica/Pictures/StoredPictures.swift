package import Foundation
package import GRDB
import Groundwork

/// The stored pictures of a record.
package struct StoredPictures: Sendable {
    /// The bytes of the pictures that are stored, by address.
    package var pictures: [String: Data] = [:]
    /// The addresses of failed pictures that aren't tried again yet.
    var failed: Set<String> = []
    /// The time at which one of the pictures was last used, in milliseconds.
    var usedAt = 0

    /// The size of the pictures, in bytes.
    var size: Int { pictures.values.reduce(0) { $0 + $1.count } }
}

extension Database {
    /// Returns the stored pictures of a record.
    ///
    /// - Parameters:
    ///   - addresses: The pictures that the record shows.
    ///   - now: The present, in milliseconds.
    package func storedPictures(
        _ addresses: some Collection<String>,
        of type: RecordType,
        id: String,
        at now: Int
    ) throws -> StoredPictures {
        var found = StoredPictures()
        let find = try cachedStatement(
            sql: "SELECT bytes, retryAt, usedAt FROM picture WHERE type = ? AND id = ? AND url = ?"
        )
        for address in addresses {
            guard let row = try Row.fetchOne(find, arguments: [type.name, id, address]) else { continue }
            found.usedAt = max(found.usedAt, row[2])
            if let bytes = row[0] as Data? {
                found.pictures[address] = bytes
            } else if let retryAt = row[1] as Int?, retryAt > now {
                found.failed.insert(address)
            }
        }
        return found
    }

    /// The size of all stored pictures of a type, in bytes.
    package func pictureBytes(of type: RecordType) throws -> Int {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT ifnull(sum(size), 0) FROM picture WHERE type = ?"),
            arguments: [type.name]
        ) ?? 0
    }
}

extension StoreWriter {
    /// Stores the outcomes of a record's pictures, if the store still has the record. A failed picture has a time for
    /// the next attempt, which is later with each failure in a row.
    func store(_ outcomes: [String: PictureFetcher.Outcome], of type: RecordType, id: String) throws {
        guard try db.exists(type, id) else { return }
        try put(outcomes, of: type, id: id)
    }

    /// Stores the outcome of a picture that records share (``SharedPictures``).
    func store(_ outcomes: [String: PictureFetcher.Outcome], of type: RecordType, sharedAs address: String) throws {
        try put(outcomes, of: type, id: address)
    }

    private func put(_ outcomes: [String: PictureFetcher.Outcome], of type: RecordType, id: String) throws {
        let findAttempts = try db.cachedStatement(
            sql: "SELECT attempts FROM picture WHERE type = ? AND id = ? AND url = ?"
        )
        for (address, outcome) in outcomes {
            var (bytes, attempts, retryAt): (Data?, Int, Int?) = (nil, 0, nil)
            switch outcome {
            case .picture(_, let received): bytes = Data(received)
            case .failed(let failure):
                attempts = try (Int.fetchOne(findAttempts, arguments: [type.name, id, address]) ?? 0) + 1
                retryAt = now + 1_000 * failure.retryDelay(after: attempts)
            }
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO picture(type, id, url, bytes, size, attempts, retryAt, usedAt)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [type.name, id, address, bytes, bytes?.count ?? 0, attempts, retryAt, now])
        }
        try noteUseOfPictures(of: type, id: id)
    }

    /// Records that a record's pictures are used now.
    func noteUseOfPictures(of type: RecordType, id: String) throws {
        try db.cachedStatement(sql: "UPDATE picture SET usedAt = ? WHERE type = ? AND id = ?")
            .execute(arguments: [now, type.name, id])
    }

    /// Deletes pictures of a type over a budget in bytes: those of the least recently used records, all of a record
    /// together.
    func dropPictures(of type: RecordType, over budget: Int) throws {
        var size = try db.pictureBytes(of: type)
        guard size > budget else { return }
        let oldest = try Row.fetchAll(
            db,
            sql: """
                SELECT id, sum(size) FROM picture WHERE type = ? GROUP BY id HAVING sum(size) > 0
                    ORDER BY max(usedAt), max(rowid)
                """,
            arguments: [type.name]
        )
        for row in oldest {
            guard size > budget else { return }
            try db.execute(
                sql: "DELETE FROM picture WHERE type = ? AND id = ? AND size > 0",
                arguments: [type.name, row[0] as String]
            )
            size -= row[1]
        }
    }
}
