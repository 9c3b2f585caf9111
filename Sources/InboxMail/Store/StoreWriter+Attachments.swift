import Foundation
import GRDB
import Groundwork
import Replica

extension StoreWriter {
    /// Stores the files of mails from responses that contain their parts. Mails that aren't on the device, have no
    /// files or are already listed are skipped.
    ///
    /// - Parameter parts: Objects with `id`, `attachments`, `textBody` and `htmlBody` (RFC 8621, section 4.1.4).
    func listFiles(_ parts: some Sequence<JSONText>) throws {
        let unlisted = try db.cachedStatement(
            sql: """
                SELECT email.threadId, email.receivedAt
                    FROM unlistedFiles JOIN email ON email.\(RecordTable.id) = unlistedFiles.id
                    WHERE unlistedFiles.id = ?
                """
        )
        var records: [JSONText] = []
        var listed: [String] = []
        for part in parts {
            guard let id = part["id"]?.value.stringValue,
                let mail = try Row.fetchOne(unlisted, arguments: [id])
            else { continue }
            listed.append(id)
            for (position, file) in MailBody.files(part.value).enumerated() {
                let json = file.json(mail: id, thread: mail[0], receivedAt: mail[1], position: position)
                records.append(try JSONText(checking: json.utf8))
            }
        }
        if !records.isEmpty { try apply(.attachment, records) }
        try deleteUnlisted(listed)
    }

    /// Removes mails from the list of those whose files aren't listed yet.
    func deleteUnlisted(_ ids: some Sequence<String>) throws {
        let delete = try db.cachedStatement(sql: "DELETE FROM unlistedFiles WHERE id = ?")
        for id in ids { try delete.execute(arguments: [id]) }
    }
}

extension MailBody.Part {
    /// The part as a record of type ``RecordType/attachment``.
    fileprivate func json(mail: String, thread: String, receivedAt: Int, position: Int) -> JSON {
        [
            "id": .string(MailAttachment.id(ofPart: partID ?? "#\(position)", in: mail)), "messageId": .string(mail),
            "threadId": .string(thread),
            "receivedAt": .string(RFC3339.string(from: Date(milliseconds: receivedAt))), "position": JSON(position),
            "blobId": .string(file.blobID), "name": file.name.map(JSON.string) ?? .null, "type": .string(file.type),
            "size": JSON(file.size), "cid": file.contentID.map(JSON.string) ?? .null, "isInline": .bool(file.isInline),
        ]
    }
}
