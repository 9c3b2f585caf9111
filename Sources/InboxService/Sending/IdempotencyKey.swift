import Crypto
import Foundation
import Groundwork

/// An idempotency key. A repeated request receives the first response and sends nothing again.
package struct IdempotencyKey: Hashable, Sendable {
    let apiKey: Int
    let key: String
    let bodyHash: Data

    /// The parts by which two requests have the same key, whatever their bodies.
    struct Name: Hashable, Sendable {
        let apiKey: Int
        let key: String
    }

    var name: Name { Name(apiKey: apiKey, key: key) }

    /// The name by which servers lock it.
    fileprivate var lockName: String { "idempotency \(apiKey) \(key)" }

    /// The time during which a repeat is recognized, in seconds.
    static let lifetime: TimeInterval = 86_400

    /// Reads a key from a header. Returns nil if the value isn't 1–255 visible ASCII characters.
    package init?(apiKey: Int, header: String, body: [UInt8]) {
        guard (1...255).contains(header.utf8.count), header.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.apiKey = apiKey
        key = header
        bodyHash = Data(SHA256.hash(data: body))
    }
}

/// The key belongs to another request.
package enum IdempotencyConflict: Error {
    /// A request with another body was answered under the key.
    case otherBody
    /// A request with the key is still running.
    case stillRunning
}

/// The lookup of the stored response to an earlier request with a key. It is valid in its transaction.
struct KeyLookup {
    let key: IdempotencyKey
    /// The earliest time of a request that is remembered, in milliseconds.
    private let earliest: Int
    private let lock: QueuedLock
    private let row: QueuedRow

    /// Queues the lookup: the lock of the key and a read, in one round trip. The read sees the commits of the lock's
    /// earlier holder.
    ///
    /// - Parameter now: The time of the write.
    init(_ key: IdempotencyKey, in db: SQLConnection, now: Date) throws {
        let earliest = now.addingTimeInterval(-IdempotencyKey.lifetime).milliseconds
        (self.key, self.earliest) = (key, earliest)
        lock = try db.queuedTryLock(name: key.lockName)
        row = try db.queuedRow(
            "SELECT bodyHash, status, response FROM idempotency WHERE apiKey = ? AND key = ? AND at >= ?",
            [key.apiKey, key.key, earliest]
        )
    }

    /// Whether the request is the first one with its key, so that it is to be answered.
    var isFirst: Bool { get throws { try row.row() == nil && lock.isLocked() } }

    #if PostgreSQL
        /// The same as a condition of a statement that is sent with the lookup. A transaction that has locked a name
        /// may lock it again. It has ``conditionArguments`` behind one argument of the statement.
        static let condition: SQLText = """
            (SELECT pg_try_advisory_xact_lock(hashtextextended(?2, 0)))
            AND NOT EXISTS (SELECT FROM idempotency WHERE apiKey = ?3 AND key = ?4 AND at >= ?5)
            """

        var conditionArguments: SQLArguments { [key.lockName, key.apiKey, key.key, earliest] }
    #endif

    /// Returns the stored response, or nil if there is none.
    ///
    /// - Throws: ``IdempotencyConflict``.
    func response() throws -> (status: Int, response: String)? {
        let row = try row.row()
        guard try lock.isLocked() else { throw IdempotencyConflict.stillRunning }
        guard let row else { return nil }
        guard row[0] == key.bodyHash else { throw IdempotencyConflict.otherBody }
        return (row[1], row[2])
    }
}

extension WriteTransaction {
    /// Returns the stored response to an earlier request with the key, or nil if there is none.
    ///
    /// - Throws: ``IdempotencyConflict``.
    package func storedResponse(for key: IdempotencyKey) throws -> (status: Int, response: String)? {
        // It is of the time before this write: what the write has stored since is looked up again.
        defer { keyLookup = nil }
        if let keyLookup, keyLookup.key == key { return try keyLookup.response() }
        return try KeyLookup(key, in: db, now: now).response()
    }

    /// Stores a response, in the transaction that applies its request.
    package func store(status: Int, response: String, for key: IdempotencyKey) throws {
        try db.run(
            """
            INSERT INTO idempotency (apiKey, key, bodyHash, status, response, at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (apiKey, key) DO UPDATE SET bodyHash = excluded.bodyHash, status = excluded.status,
                response = excluded.response, at = excluded.at
            """,
            [key.apiKey, key.key, key.bodyHash, status, response, now.milliseconds]
        )
    }
}

/// The keys of running requests. A second request with the same key is rejected instead of waiting.
package final class RunningKeys: Sendable {
    private let names = Locked<Set<IdempotencyKey.Name>>([])

    package init() {}

    /// Runs a request, unless one with the same key is running.
    ///
    /// - Throws: ``IdempotencyConflict/stillRunning``, whatever the body of the request, and errors of `body`.
    package func run<Value>(_ key: IdempotencyKey, _ body: () async throws -> Value) async throws -> Value {
        guard names.withLock({ $0.insert(key.name).inserted }) else { throw IdempotencyConflict.stillRunning }
        defer { _ = names.withLock { $0.remove(key.name) } }
        return try await body()
    }
}
