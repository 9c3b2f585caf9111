import Foundation
import GRDB
import Groundwork
import Replica

extension StoreWriter {
    /// Derives the contacts whose mails or cards have changed, and removes those with neither.
    func deriveContacts() throws {
        try readOwnAddresses()
        try countChangedMails()
        let addresses = try String.fetchAll(db.cachedStatement(sql: "SELECT address FROM changedContact"))
        guard !addresses.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM changedContact").execute()
        let deleteUnused = try db.cachedStatement(
            sql: "DELETE FROM contactSpelling WHERE address = ? AND received + written + authored = 0"
        )
        let isOwn = try db.cachedStatement(sql: "SELECT 1 FROM ownAddress WHERE address = ?")
        var records: [JSONText] = []
        var gone: [String] = []
        for address in addresses {
            try deleteUnused.execute(arguments: [address])
            let contact = try Int.fetchOne(isOwn, arguments: [address]) == nil ? db.contactSummary(address) : nil
            if let contact {
                records.append(try JSONText(checking: contact.json.utf8))
            } else if try db.exists(.contact, address) {
                gone.append(address)
            }
        }
        if !records.isEmpty { try apply(.contact, records) }
        try remove(.contact, gone)
    }

    /// Counts the addresses of the mails that have changed. Only differences are written.
    private func countChangedMails() throws {
        let changed = try Int.fetchAll(db.cachedStatement(sql: "SELECT email FROM changedContactMail"))
        guard !changed.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM changedContactMail").execute()
        let rules = ContactUse.Rules(
            roles: try MailboxRoles(db),
            sent: Set(try StoreQuery(roles: [.sent]).fetch(db).map(\.id)),
            own: try db.ownAddresses()
        )
        let select = try db.cachedStatement(
            sql: "SELECT receivedAt, keywords, mailboxIds, \(RecordTable.json) FROM email WHERE rowid = ?"
        )
        let counted = try db.cachedStatement(sql: "SELECT spelling, kind FROM contactUse WHERE email = ?")
        let insert = try db.cachedStatement(
            sql: "INSERT INTO contactUse(email, spelling, kind, usedAt) VALUES (?, ?, ?, ?)"
        )
        let delete = try db.cachedStatement(sql: "DELETE FROM contactUse WHERE email = ? AND spelling = ?")
        for email in changed {
            guard let row = try Row.fetchOne(select, arguments: [email]) else { continue }
            let uses = ContactUse.uses(
                keywords: MemberSet(text: row[1]),
                mailboxes: MemberSet(text: row[2]),
                text: Array(row[3] as Data),
                rules
            )
            var old = Dictionary(
                uniqueKeysWithValues: try Row.fetchAll(counted, arguments: [email]).map { ($0[0] as Int, $0[1] as Int) }
            )
            for use in uses {
                let spelling = try spelling(use.address)
                if let kind = old.removeValue(forKey: spelling) {
                    if kind == use.kind.rawValue { continue }
                    try delete.execute(arguments: [email, spelling])
                }
                try insert.execute(arguments: [email, spelling, use.kind.rawValue, row[0] as Int])
            }
            for spelling in old.keys { try delete.execute(arguments: [email, spelling]) }
        }
    }

    /// Returns the number of a spelling of an address. Beyond the maximum, an address counts without its name.
    private func spelling(_ address: ContactAddress) throws -> Int {
        let select = try db.cachedStatement(
            sql: "SELECT id FROM contactSpelling WHERE address = ? AND email = ? AND name = ?"
        )
        let name = address.name ?? ""
        if let id = try Int.fetchOne(select, arguments: [address.key, address.email, name]) { return id }
        let count = try db.cachedStatement(sql: "SELECT count(*) FROM contactSpelling WHERE address = ?")
        let isFull = try Int.fetchOne(count, arguments: [address.key]) ?? 0 >= ContactSummary.maxSpellings
        let (email, shown) = isFull ? (address.key, "") : (address.email, name)
        if isFull, let id = try Int.fetchOne(select, arguments: [address.key, email, shown]) { return id }
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO contactSpelling(address, email, name, received, written, authored)
                    VALUES (?, ?, ?, 0, 0, 0) RETURNING id
                """
        )
        return try Int.fetchOne(insert, arguments: [address.key, email, shown]) ?? 0
    }

    /// Counts some of the mails that were on this device before contacts were derived.
    ///
    /// - Returns: Whether there are more.
    func countEarlierMails(limit: Int) throws -> Bool {
        // The first sync stores the newest first.
        let mails = try Int.fetchAll(
            db.cachedStatement(sql: "SELECT email FROM uncountedContactMail ORDER BY email LIMIT ?"),
            arguments: [limit]
        )
        let note = try db.cachedStatement(sql: "INSERT INTO changedContactMail VALUES (?) ON CONFLICT DO NOTHING")
        let delete = try db.cachedStatement(sql: "DELETE FROM uncountedContactMail WHERE email = ?")
        for mail in mails {
            try note.execute(arguments: [mail])
            try delete.execute(arguments: [mail])
        }
        return try db.hasUncountedMails()
    }
}

extension ReplicaStore {
    /// Counts the mails that were on this device before contacts were derived, in transactions so short that others
    /// don't wait for them. It ends early if the store is closed or can't be written; the next opening continues.
    func countEarlierMails() async {
        do {
            var hasMore = try await read { db in try db.hasUncountedMails() }
            while hasMore, !Task.isCancelled {
                hasMore = try await write { writer in try writer.countEarlierMails(limit: 500) }
            }
        } catch {
            // The store was closed, or the disk is full.
        }
    }
}

extension Database {
    /// Whether mails are on this device that aren't counted for the contacts yet.
    func hasUncountedMails() throws -> Bool {
        try Bool.fetchOne(cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM uncountedContactMail)")) ?? false
    }

    /// Returns the contact of an address; nil if it is in no card and no counted mail, or if it is the account's own.
    func contactSummary(_ address: String) throws -> ContactSummary? {
        let select = try cachedStatement(
            sql: """
                SELECT email, name, received, written, authored,
                    (SELECT max(usedAt) FROM contactUse WHERE spelling = contactSpelling.id)
                    FROM contactSpelling WHERE address = ?
                """
        )
        return ContactSummary(
            address: address,
            try Row.fetchAll(select, arguments: [address]).map { row in
                ContactSummary.Spelling(
                    email: row[0],
                    name: row[1],
                    received: row[2],
                    written: row[3],
                    authored: row[4],
                    usedAt: row[5] ?? 0
                )
            },
            card: try addressInCards(address)
        )
    }
}
