import Crypto
import Foundation
import Groundwork

/// An idempotency key. A repeated request receives the first response and sends nothing again.
package struct IdempotencyKey: Hashable, Sendable {
    let apiKey: Int
    let key: String
    let bodyHash: Data

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

extension WriteTransaction {
    /// Returns the stored response to an earlier request with the key, or nil if there is none.
    ///
    /// - Throws: ``IdempotencyConflict``.
    package func storedResponse(for key: IdempotencyKey) throws -> (status: Int, response: String)? {
        // Both in one round trip. The second statement sees the commits of the lock's earlier holder.
        let lock = try db.queuedTryLock(name: "idempotency \(key.apiKey) \(key.key)")
        let row = try db.row(
            "SELECT bodyHash, status, response FROM idempotency WHERE apiKey = ? AND key = ? AND at >= ?",
            [key.apiKey, key.key, now.addingTimeInterval(-IdempotencyKey.lifetime).milliseconds]
        )
        guard try lock.isLocked() else { throw IdempotencyConflict.stillRunning }
        guard let row else { return nil }
        guard row[0] == key.bodyHash else { throw IdempotencyConflict.otherBody }
        return (row[1], row[2])
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
    private struct Name: Hashable {
        let apiKey: Int
        let key: String
    }

    private let names = Locked<Set<Name>>([])

    package init() {}

    /// Runs a request, unless one with the same key is running.
    ///
    /// - Throws: ``IdempotencyConflict/stillRunning``, whatever the body of the request, and errors of `body`.
    package func run<Value>(_ key: IdempotencyKey, _ body: () async throws -> Value) async throws -> Value {
        let name = Name(apiKey: key.apiKey, key: key.key)
        guard names.withLock({ $0.insert(name).inserted }) else { throw IdempotencyConflict.stillRunning }
        defer { _ = names.withLock { $0.remove(name) } }
        return try await body()
    }
}
