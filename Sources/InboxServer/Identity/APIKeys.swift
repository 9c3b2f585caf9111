import Crypto
import Foundation
import GRDB
import Groundwork

/// The keys with which an app's backend sends. Only their SHA-256 is stored.
struct APIKeys: Sendable {
    private let idByHash: [Data: Int]
    /// The key that was made because there was none; nobody can read it again.
    let new: String?

    /// Reads the keys, and makes sure that there is one.
    ///
    /// - Parameter adminKey: A key that has to be among them; nil for whichever there are.
    init(writer: Writer, adminKey: String?, random: RandomSource) async throws {
        let made = "sk_" + random.token(length: 32)
        (idByHash, new) = try await writer.write { transaction in
            let count: Int = try transaction.db.value("SELECT count(*) FROM apiKey") ?? 0
            let isNew = adminKey == nil && count == 0
            if let key = adminKey ?? (isNew ? made : nil) {
                try transaction.db.run(
                    "INSERT OR IGNORE INTO apiKey (name, hash, createdAt) VALUES ('admin', ?, ?)",
                    [Self.hash(key), transaction.now.milliseconds]
                )
            }
            let rows = try Row.fetchAll(transaction.db, sql: "SELECT hash, id FROM apiKey")
            let ids: [Data: Int] = rows.reduce(into: [:]) { $0[$1[0]] = $1[1] }
            return (ids, isNew ? made : nil)
        }
    }

    /// The number of a key; nil for a wrong one. What is compared is the hash, so that the time that it takes tells nothing.
    func id(of key: String) -> Int? {
        idByHash[Self.hash(key)]
    }

    private static func hash(_ key: String) -> Data {
        Data(SHA256.hash(data: Array(key.utf8)))
    }
}
