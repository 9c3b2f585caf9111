import Foundation
import GRDB
package import Groundwork
import InboxModel

/// A page of the list of people, ordered by the bytes of their ids.
package struct PeopleList: Sendable {
    /// The prefix of the ids, compared by bytes.
    let prefix: String
    let page: Page<String>

    package init(prefix: String, page: Page<String>) {
        self.prefix = prefix
        self.page = page
    }

    var statement: (sql: String, arguments: StatementArguments) {
        var (conditions, arguments): ([String], StatementArguments)
        // The greater of the two lower bounds, because an index uses only one.
        if let after = page.after, !after.utf8.lexicographicallyPrecedes(prefix.utf8) {
            (conditions, arguments) = (["name > ?"], [after])
        } else {
            (conditions, arguments) = (["name >= ?"], [prefix])
        }
        // The smallest text after all texts with the prefix. Its last byte may be invalid UTF-8; SQLite compares bytes.
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

extension ReadTransaction {
    /// Returns a page of the list of people, read from the index over the ids.
    package func people(_ list: PeopleList) throws -> [(cursor: String, json: JSON)] {
        let (sql, arguments) = list.statement
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            let name: String = row[0]
            return (name, ["id": .string(name), "createdAt": JSON(Date(milliseconds: row[1]))])
        }
    }
}
