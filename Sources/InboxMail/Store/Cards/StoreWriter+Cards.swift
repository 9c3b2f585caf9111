import Foundation
import GRDB
import Groundwork
import MailComposing
import Replica

extension StoreWriter {
    /// Reads the cards that have changed, and marks the contacts and groups that have to be derived again.
    func readChangedCards() throws {
        let changed = try Row.fetchAll(db.cachedStatement(sql: "SELECT source, card FROM changedCard"))
            .compactMap { row in CardSource(rawValue: row[0]).map { ($0, row[1] as Int) } }
        guard !changed.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM changedCard").execute()
        let hiddenBooks = try String.fetchSet(
            db.cachedStatement(sql: "SELECT \(RecordTable.id) FROM addressBook WHERE NOT isSubscribed")
        )
        for (source, number) in changed {
            let books = source == .card ? "addressBookIds" : "'[]'"
            let select = try db.cachedStatement(
                sql: "SELECT \(RecordTable.id), \(books), \(RecordTable.json) FROM \(source.type.table) WHERE rowid = ?"
            )
            guard let row = try Row.fetchOne(select, arguments: [number]) else { continue }
            let names = MemberSet(text: row[1]).names
            let isHidden = !names.isEmpty && names.allSatisfy(hiddenBooks.contains)
            let json = try? JSON(parsing: Array(row[2] as Data))
            try store(isHidden ? nil : json.map(source.read), CardKey(source: source, number: number, id: row[0]))
        }
    }

    /// Stores the data of a card. Nil removes them.
    private func store(_ card: ContactCard?, _ key: CardKey) throws {
        let note = try db.cachedStatement(
            sql: CardTables.noteGroups(ofMembersWith: "source = ? AND card = ?")
        )
        let noteItself = try db.cachedStatement(
            sql: """
                INSERT INTO changedCardGroup SELECT source, card, id FROM cardEntry
                    WHERE source = ? AND card = ? AND isGroup
                    ON CONFLICT DO NOTHING
                """
        )
        // Before the change: a card that has another uid, or is no group any more.
        try note.execute(arguments: key.arguments)
        try noteItself.execute(arguments: key.arguments)
        try db.cachedStatement(sql: "DELETE FROM cardEntry WHERE source = ? AND card = ?")
            .execute(arguments: key.arguments)
        if let card {
            try db.cachedStatement(sql: "INSERT INTO cardEntry VALUES (?, ?, ?, ?, ?, ?)")
                .execute(
                    arguments: key.arguments + [
                        key.id, card.uid, card.name.flatMap(ContactAddress.shown) ?? "", card.members != nil,
                    ]
                )
        }
        try replaceAddresses(card, key)
        try replaceMembers(card, key)
        try note.execute(arguments: key.arguments)
        try noteItself.execute(arguments: key.arguments)
    }

    /// Writes the addresses that differ, and no others, so that only their contacts are derived again.
    private func replaceAddresses(_ card: ContactCard?, _ key: CardKey) throws {
        var known: Set<String> = []
        let new = (card?.emails ?? []).compactMap { email in
            ContactAddress(EmailAddress(name: card?.name, email: email), isInAddressBook: true)
        }.filter { known.insert($0.key).inserted }
        let old = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT address, email, name, id FROM cardAddress WHERE source = ? AND card = ? ORDER BY position"
            ),
            arguments: key.arguments
        )
        let isSame =
            old.count == new.count
            && zip(old, new).allSatisfy { row, address in
                (row[0] as String).hasSameBytes(as: address.key) && (row[1] as String).hasSameBytes(as: address.email)
                    && (row[2] as String).hasSameBytes(as: address.name ?? "") && row[3] as String == key.id
            }
        if isSame { return }
        try db.cachedStatement(sql: "DELETE FROM cardAddress WHERE source = ? AND card = ?")
            .execute(arguments: key.arguments)
        let insert = try db.cachedStatement(sql: "INSERT INTO cardAddress VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (position, address) in new.enumerated() {
            try insert.execute(
                arguments: key.arguments + [position, address.key, address.email, address.name ?? "", key.id]
            )
        }
    }

    private func replaceMembers(_ card: ContactCard?, _ key: CardKey) throws {
        try db.cachedStatement(sql: "DELETE FROM cardMember WHERE source = ? AND card = ?")
            .execute(arguments: key.arguments)
        let insert = try db.cachedStatement(sql: "INSERT INTO cardMember VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        for uid in card?.members ?? [] {
            try insert.execute(arguments: key.arguments + [uid, key.source.members.rawValue])
        }
    }

    // MARK: - Groups

    /// Derives the groups whose own cards, or those of their members, have changed.
    func deriveContactGroups() throws {
        let changed = try Row.fetchAll(db.cachedStatement(sql: "SELECT source, card, id FROM changedCardGroup"))
            .compactMap { row in
                CardSource(rawValue: row[0]).map { CardKey(source: $0, number: row[1], id: row[2]) }
            }
        guard !changed.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM changedCardGroup").execute()
        var records: [String: JSONText] = [:]
        for key in changed {
            if let group = try db.contactGroup(key) { records[key.id] = try JSONText(checking: group.utf8) }
        }
        if !records.isEmpty { try apply(.contactGroup, records.sorted { $0.key < $1.key }.map(\.value)) }
        let gone = Set(changed.map(\.id)).subtracting(records.keys).sorted()
        try remove(.contactGroup, try gone.filter { try db.exists(.contactGroup, $0) })
    }
}

/// The row of a card.
struct CardKey: Hashable {
    let source: CardSource
    /// The number of the row in the table of its type.
    let number: Int
    /// The server's id.
    let id: String

    var arguments: StatementArguments { [source.rawValue, number] }
}

extension Database {
    /// Returns the name and an address in the server's cards; nil if no card has it. If several cards have it, the
    /// first one with a name is used, by its id.
    func addressInCards(_ address: String) throws -> EmailAddress? {
        let select = try cachedStatement(
            sql: "SELECT email, name FROM cardAddress WHERE address = ? ORDER BY name = '', id, source, card LIMIT 1"
        )
        guard let row = try Row.fetchOne(select, arguments: [address]) else { return nil }
        let name: String = row[1]
        return EmailAddress(name: name.isEmpty ? nil : name, email: row[0])
    }

    /// Returns a group as a record of ``RecordType/contactGroup``; nil if the card is no group, or has no name or no
    /// member with an address.
    fileprivate func contactGroup(_ key: CardKey) throws -> JSON? {
        let select = try cachedStatement(
            sql: "SELECT name FROM cardEntry WHERE source = ? AND card = ? AND id = ? AND isGroup AND name <> ''"
        )
        guard let name = try String.fetchOne(select, arguments: key.arguments + [key.id]) else { return nil }
        // Each member with the preferred address.
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: """
                    SELECT cardAddress.email, cardAddress.name, cardAddress.address
                        FROM cardMember
                        JOIN cardEntry ON cardEntry.source = cardMember.memberSource AND cardEntry.uid = cardMember.uid
                        JOIN cardAddress ON cardAddress.source = cardEntry.source AND cardAddress.card = cardEntry.card
                            AND cardAddress.position = 0
                        WHERE cardMember.source = ? AND cardMember.card = ?
                        ORDER BY cardEntry.id
                        LIMIT \(2 * ContactCard.maxMembers)
                    """
            ),
            arguments: key.arguments
        )
        var known: Set<String> = []
        let members = rows.filter { known.insert($0[2]).inserted }.map { row -> EmailAddress in
            let name: String = row[1]
            return EmailAddress(name: name.isEmpty ? nil : name, email: row[0])
        }
        guard !members.isEmpty else { return nil }
        let sorted = members.sorted {
            (SearchText.folded($0.displayName), $0.email) < (SearchText.folded($1.displayName), $1.email)
        }
        return [
            "id": .string(key.id), "name": .string(name), "memberCount": JSON(sorted.count),
            "members": .array(sorted.prefix(ContactCard.maxMembers).map(\.json)),
        ]
    }
}
