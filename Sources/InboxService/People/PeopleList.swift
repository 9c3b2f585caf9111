import Foundation
package import GRDB
package import Groundwork
import InboxModel

/// A part of the list of people, in the order of the bytes of their ids.
package struct PeopleList: Sendable {
    /// The bytes with which the ids begin.
    let prefix: String
    let page: Page<String>

    package init(prefix: String, page: Page<String>) {
        self.prefix = prefix
        self.page = page
    }

    /// Reads the part from the index over the ids.
    package func read(in db: Database) throws -> [(cursor: String, json: JSON)] {
        let (sql, arguments) = statement
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            let name: String = row[0]
            return (name, ["id": .string(name), "createdAt": JSON(Date(milliseconds: row[1]))])
        }
    }

    var statement: (sql: String, arguments: StatementArguments) {
        var (conditions, arguments): ([String], StatementArguments)
        // Of the two lower bounds the greater one, since an index takes one.
        if let after = page.after, !after.utf8.lexicographicallyPrecedes(prefix.utf8) {
            (conditions, arguments) = (["name > ?"], [after])
        } else {
            (conditions, arguments) = (["name >= ?"], [prefix])
        }
        // The least text that is past all of the prefix. Its last byte may be one that no UTF-8 has; SQLite compares
        // bytes.
        var past = Data(prefix.utf8)
        if let last = past.popLast() {
            past.append(last + 1)
            conditions.append("name < CAST(? AS TEXT)")
            arguments += [past]
        }
        arguments += [page.limit]
        let sql = """
            SELECT name, createdAt FROM person WHERE \(conditions.joined(separator: " AND ")) ORDER BY name LIMIT ?
            """
        return (sql, arguments)
    }
}
