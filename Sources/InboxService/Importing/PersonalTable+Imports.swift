import GRDB
import Groundwork

extension PersonalTable {
    /// Where the person's messages were imported from.
    static let imports = PersonalTable(
        table: "imported",
        name: "imports",
        keys: "SELECT message FROM imported WHERE person = ?1 ORDER BY message",
        row: "SELECT message, source, externalId FROM imported WHERE person = ?1 AND message = ?2",
        json: { row in
            [
                "message": .string(MessageID(rawValue: row[0]).text), "source": .string(row[1]),
                "externalId": .string(row[2]),
            ]
        },
        erase: "DELETE FROM imported WHERE person = ?1"
    )
}
