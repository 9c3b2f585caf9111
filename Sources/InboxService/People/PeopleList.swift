import Foundation
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

    /// The smallest text after all texts with the prefix: UTF-8 sorts as the characters' numbers do. Nil if there is
    /// none.
    private var past: String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The numbers between are no characters.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            return String(String.UnicodeScalarView(scalars + [next]))
        }
        return nil
    }

    var statement: (sql: SQLText, arguments: SQLArguments) {
        var (conditions, arguments): ([String], SQLArguments)
        // The greater of the two lower bounds, because an index uses only one.
        if let after = page.after, !after.utf8.lexicographicallyPrecedes(prefix.utf8) {
            (conditions, arguments) = (["name > ?"], [after])
        } else {
            (conditions, arguments) = (["name >= ?"], [prefix])
        }
        if let past {
            conditions.append("name < ?")
            arguments += [past]
        }
        arguments += [page.limit]
        let condition = conditions.joined(separator: " AND ")
        let sql = SQLText(
            sqlite: "SELECT name, createdAt FROM person WHERE \(condition) ORDER BY name LIMIT ?",
            postgres: """
                SELECT n.name, p.createdAt
                FROM (SELECT name, person FROM personName WHERE \(condition) ORDER BY name LIMIT ?) AS n
                JOIN person p ON p.id = n.person ORDER BY n.name
                """
        )
        return (sql, arguments)
    }
}

extension ReadTransaction {
    /// Returns a page of the list of people, read from the index over the ids.
    package func people(_ list: PeopleList) throws -> [(cursor: String, json: JSON)] {
        let (sql, arguments) = list.statement
        return try db.rows(sql, arguments).map { row in
            let name: String = row[0]
            return (name, ["id": .string(name), "createdAt": JSON(Date(milliseconds: row[1]))])
        }
    }
}
