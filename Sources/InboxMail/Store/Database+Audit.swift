import GRDB
import Replica

extension Database {
    /// Returns the differences between the numbers of stored mails in the mailboxes and the server's totals; nil if
    /// there are none.
    func mailboxDifference() throws -> String? {
        let held = try Row.fetchAll(
            self,
            sql: "SELECT value, count(*) FROM email, json_each(email.mailboxIds) GROUP BY value"
        )
        let numbers = Dictionary(held.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
        let mailboxes = try Row.fetchAll(
            self,
            sql: "SELECT \(RecordTable.id), totalEmails FROM mailbox ORDER BY \(RecordTable.id)"
        )
        let known = Set(mailboxes.map { $0[0] as String })
        let differences = mailboxes.compactMap { row -> String? in
            let (id, total): (String, Int) = (row[0], row[1])
            return numbers[id, default: 0] == total ? nil : "\(id) \(numbers[id, default: 0]) \(total)"
        }
        let unknown = numbers.keys.filter { !known.contains($0) }.sorted()
        let all = differences + unknown
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }
}
