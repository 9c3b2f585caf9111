import Foundation
import Groundwork
import InboxModel

extension Schema {
    /// The uploads of people's devices.
    static let blobs = """
        CREATE TABLE blob (
            person INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
            hash BLOB NOT NULL,               -- SHA-256 of the content: the blob's id
            size INTEGER NOT NULL,
            at INTEGER NOT NULL,              -- of the latest upload
            content BLOB NOT NULL,
            PRIMARY KEY (person, hash)
        );
        CREATE INDEX blob_at ON blob (at);
        """
}

extension PersonalTable {
    /// The blobs that the person's devices have uploaded.
    static let blobs = PersonalTable(
        table: "blob",
        name: "blobs",
        keys: "SELECT hash FROM blob WHERE person = ?1 ORDER BY hash",
        key: Data.self,
        row: "SELECT hash, size, at, content FROM blob WHERE person = ?1 AND hash = ?2",
        json: { row in
            let content: Data = row[3]
            return [
                "id": .string(BlobID(hash: row[0]).text), "size": JSON(row[1] as Int),
                "at": JSON(Date(milliseconds: row[2])), "content": .string(content.base64EncodedString()),
            ]
        },
        erase: "DELETE FROM blob WHERE person = ?1",
        // A blob may be large.
        partSize: 1
    )
}
