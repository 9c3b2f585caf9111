/// The table of the pictures that records show, fetched from the web: a row for each record and address, with the
/// bytes, or with the time of the next attempt.
///
/// A picture belongs to one record and is deleted with it by a trigger, however the record's row is removed: by the
/// server, an eviction, a full sync or a sign-out. So is a picture whose record has other contents.
///
/// A picture that several records may show (``SharedPictures``) has its address in place of a record's id, which never
/// has a colon.
enum PictureTable {
    static let schema = """
        CREATE TABLE picture(
            rowid INTEGER PRIMARY KEY,
            type TEXT NOT NULL,
            id TEXT NOT NULL,
            url TEXT NOT NULL,
            bytes BLOB,
            size INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            retryAt INTEGER,
            usedAt INTEGER NOT NULL,
            UNIQUE (type, id, url)
        );
        CREATE INDEX pictureByUse ON picture(type, usedAt, id, size);
        """

    static func triggers(for type: RecordType, _ rule: PictureRule) -> [String] {
        let delete = "DELETE FROM picture WHERE type = '\(type.name)' AND id = OLD.id;"
        var triggers = [
            "CREATE TRIGGER \"\(type.table)_withoutPictures\" AFTER DELETE ON \"\(type.table)\" BEGIN \(delete) END"
        ]
        if let member = rule.contents {
            func contents(_ row: String) -> String {
                // In a blob, SQLite would look for JSON in its own format.
                let text = "CAST(\(row).\(RecordTable.json) AS TEXT)"
                return "CASE WHEN json_valid(\(text)) THEN json_extract(\(text), '$.\(member)') END"
            }
            triggers.append(
                """
                CREATE TRIGGER "\(type.table)_otherPictures" AFTER UPDATE OF \(RecordTable.json) ON "\(type.table)"
                WHEN EXISTS (SELECT 1 FROM picture WHERE type = '\(type.name)' AND id = OLD.id)
                    AND \(contents("OLD")) IS NOT \(contents("NEW"))
                BEGIN \(delete) END
                """
            )
        }
        return triggers
    }
}

/// Declares that records of a type show pictures from the web.
package struct PictureRule: Sendable {
    /// The member of a record that has the addresses of its pictures. If its value changes, the pictures are deleted.
    /// Nil if they never change.
    package let contents: String?

    package init(contents: String?) {
        self.contents = contents
    }
}
