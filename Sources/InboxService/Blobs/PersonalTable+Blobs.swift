import Foundation
import GRDB
import Groundwork
import InboxModel

extension PersonalTable {
    /// What the person's devices uploaded.
    static let blobs = PersonalTable(
        table: "blob",
        name: "blobs",
        keys: "SELECT hash FROM blob WHERE person = ?1 ORDER BY hash",
        row: "SELECT hash, size, at, content FROM blob WHERE person = ?1 AND hash = ?2",
        json: { row in
            let content: Data = row[3]
            return [
                "id": .string(BlobID(hash: row[0]).text), "size": JSON(row[1] as Int),
                "at": JSON(Date(milliseconds: row[2])), "content": .string(content.base64EncodedString()),
            ]
        },
        erase: "DELETE FROM blob WHERE person = ?1",
        // Each may be large.
        partSize: 1
    )
}
