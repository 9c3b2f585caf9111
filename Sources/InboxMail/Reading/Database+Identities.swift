import GRDB

extension Database {
    func identities() throws -> [MailIdentity] {
        try Row.fetchAll(cachedStatement(sql: "SELECT id, name, email FROM identity ORDER BY rowid")).map { row in
            MailIdentity(id: row[0], name: row[1], email: row[2])
        }
    }
}
