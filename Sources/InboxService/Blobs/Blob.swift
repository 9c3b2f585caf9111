package import Foundation
import Groundwork

/// Bytes that a person's device has uploaded (RFC 8620 §6). They belong to that person, and no record refers to them
/// yet.
///
/// A blob is identified by its content, so repeated uploads are stored once.
package struct Blob: Sendable {
    package let id: BlobID
    package let content: Data

    package init(id: BlobID, content: Data) {
        self.id = id
        self.content = content
    }

    /// The time for which an unreferenced blob is kept after its latest upload, in seconds.
    package static let lifetime: TimeInterval = 86_400
}

/// A blob's id: a `b` and the SHA-256 of its content in hexadecimal, a valid JMAP id (RFC 8620 §1.2).
package struct BlobID: Hashable, Sendable {
    let hash: Data

    package init(hash: Data) {
        self.hash = hash
    }

    /// Parses the text. Returns nil unless it is exactly what ``text`` returns.
    package init?(_ text: String) {
        let digits = Array(text.utf8.dropFirst())
        guard text.utf8.first == UInt8(ascii: "b"), digits.count == 2 * Self.length else { return nil }
        var hash = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.alphabet.firstIndex(of: digits[index]),
                let low = Self.alphabet.firstIndex(of: digits[index + 1])
            else { return nil }
            hash.append(UInt8(high << 4 | low))
        }
        self.hash = hash
    }

    /// The id as the API writes it.
    package var text: String {
        let digits = hash.flatMap { [Self.alphabet[Int($0 >> 4)], Self.alphabet[Int($0 & 15)]] }
        return "b" + String(decoding: digits, as: UTF8.self)
    }

    private static let length = 32
    private static let alphabet = Array("0123456789abcdef".utf8)
}

extension WriteTransaction {
    /// Stores a blob for its lifetime, which starts again if the person already has it.
    ///
    /// If there is no room for it, the person's oldest blobs are deleted, as RFC 8620, section 6 requires.
    ///
    /// - Throws: ``RecordNotFoundError`` if the person was erased meanwhile.
    package func store(_ blob: Blob, of person: Person) throws {
        try requireExistence(of: person)
        try db.run("DELETE FROM blob WHERE person = ? AND hash = ?", [person.id, blob.id.hash])
        let rows = try db.rows(
            SQLText(
                sqlite: "SELECT hash, size FROM blob WHERE person = ? ORDER BY at DESC, rowid DESC",
                postgres: "SELECT hash, size FROM blob WHERE person = ? ORDER BY at DESC, number DESC"
            ),
            [person.id]
        )
        var size = blob.content.count
        for (index, row) in rows.enumerated() {
            size += row[1]
            guard size > limits.fileSize || index >= limits.files - 1 else { continue }
            try db.run("DELETE FROM blob WHERE person = ? AND hash = ?", [person.id, row[0] as Data])
        }
        // SQLite binds empty data as null.
        try db.run(
            SQLText(
                sqlite:
                    "INSERT INTO blob (person, hash, size, at, content) VALUES (?, ?, ?, ?, ifnull(?, zeroblob(0)))",
                postgres: "INSERT INTO blob (person, hash, size, at, content) VALUES (?, ?, ?, ?, ?)"
            ),
            [person.id, blob.id.hash, blob.content.count, now.milliseconds, blob.content]
        )
    }
}

extension ReadTransaction {
    /// Returns the size of a person's blob in bytes, or nil if there is none or it has expired.
    package func blobSize(_ id: BlobID, of person: Person, now: Date) throws -> Int? {
        try db.value(
            "SELECT length(content) FROM blob WHERE person = ? AND hash = ? AND at > ?",
            [person.id, id.hash, now.addingTimeInterval(-Blob.lifetime).milliseconds]
        )
    }

    /// Returns the content of a person's blob, or nil if there is none or it has expired, even if it isn't deleted yet.
    package func blob(_ id: BlobID, of person: Person, now: Date) throws -> Data? {
        try db.value(
            "SELECT content FROM blob WHERE person = ? AND hash = ? AND at > ?",
            [person.id, id.hash, now.addingTimeInterval(-Blob.lifetime).milliseconds]
        )
    }
}
