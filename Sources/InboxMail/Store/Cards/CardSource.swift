import Groundwork
import Replica

/// A type of card on the server. The numbers are stored.
enum CardSource: Int, CaseIterable {
    /// `ContactCard` of RFC 9610, for people and groups.
    case card = 0
    /// `Contact` of Cyrus, for people.
    case cyrusContact = 1
    /// `ContactGroup` of Cyrus.
    case cyrusGroup = 2

    var type: RecordType {
        switch self {
        case .card: .contactCard
        case .cyrusContact: .cyrusContact
        case .cyrusGroup: .cyrusGroup
        }
    }

    /// The type of the members of a group.
    var members: CardSource { self == .cyrusGroup ? .cyrusContact : self }

    func read(_ json: JSON) -> ContactCard {
        switch self {
        case .card: ContactCard(jsContact: json)
        case .cyrusContact: ContactCard(cyrusContact: json)
        case .cyrusGroup: ContactCard(cyrusGroup: json)
        }
    }
}

/// The tables with the data of the server's cards. Triggers record the cards that have changed, and remove the data of
/// a deleted one, whichever code deletes it.
enum CardTables {
    /// The tables, which all sources share.
    static let schema =
        [
            // The cards to be read again.
            """
            CREATE TABLE changedCard(source INTEGER NOT NULL, card INTEGER NOT NULL,
                PRIMARY KEY (source, card)) WITHOUT ROWID
            """,
            // The groups to be derived again. A deleted one has its id here alone.
            """
            CREATE TABLE changedCardGroup(source INTEGER NOT NULL, card INTEGER NOT NULL, id TEXT NOT NULL,
                PRIMARY KEY (source, card, id)) WITHOUT ROWID
            """,
            // The columns of a key come first: SQLite 3.40 finds its own tables damaged otherwise (quick_check).
            // A row for each card, by the number of its own row.
            """
            CREATE TABLE cardEntry(source INTEGER NOT NULL, card INTEGER NOT NULL, id TEXT NOT NULL, uid TEXT NOT NULL,
                name TEXT NOT NULL, isGroup INTEGER NOT NULL, PRIMARY KEY (source, card)) WITHOUT ROWID
            """,
            "CREATE INDEX cardEntryByUID ON cardEntry(source, uid)",
            """
            CREATE TABLE cardAddress(source INTEGER NOT NULL, card INTEGER NOT NULL, position INTEGER NOT NULL,
                address TEXT NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL,
                PRIMARY KEY (source, card, position)) WITHOUT ROWID
            """,
            "CREATE INDEX cardAddressByAddress ON cardAddress(address)",
            """
            CREATE TABLE cardMember(source INTEGER NOT NULL, card INTEGER NOT NULL, uid TEXT NOT NULL,
                memberSource INTEGER NOT NULL, PRIMARY KEY (source, card, uid)) WITHOUT ROWID
            """,
            "CREATE INDEX cardMemberByUID ON cardMember(memberSource, uid)",
        ]
        + [("INSERT", "NEW"), ("DELETE", "OLD")].map { event, row in
            """
            CREATE TRIGGER cardAddress_\(event) AFTER \(event) ON cardAddress BEGIN
                INSERT INTO changedContact VALUES (\(row).address) ON CONFLICT DO NOTHING;
            END
            """
        }
        + [
            ("INSERT", "", "NOT NEW.isSubscribed", "NEW"), ("DELETE", "", "NOT OLD.isSubscribed", "OLD"),
            ("UPDATE", " OF isSubscribed", "NEW.isSubscribed IS NOT OLD.isSubscribed", "NEW"),
        ].map { event, columns, condition, row in
            """
            CREATE TRIGGER addressBook_card_\(event) AFTER \(event)\(columns) ON addressBook WHEN \(condition) BEGIN
                INSERT INTO changedCard SELECT \(CardSource.card.rawValue), rowid FROM contactCard
                    WHERE instr(addressBookIds, '"' || \(row).\(RecordTable.id) || '"') > 0 ON CONFLICT DO NOTHING;
            END
            """
        }

    /// Returns the triggers of a source's table.
    static func triggers(_ source: CardSource, table: String) -> [String] {
        let number = source.rawValue
        let key = "source = \(number) AND card = OLD.rowid"
        return [
            """
            CREATE TRIGGER \(table)_card_INSERT AFTER INSERT ON \(table) BEGIN
                INSERT INTO changedCard VALUES (\(number), NEW.rowid) ON CONFLICT DO NOTHING;
            END
            """,
            """
            CREATE TRIGGER \(table)_card_UPDATE AFTER UPDATE ON \(table)
            WHEN NEW.\(RecordTable.json) IS NOT OLD.\(RecordTable.json) BEGIN
                INSERT INTO changedCard VALUES (\(number), NEW.rowid) ON CONFLICT DO NOTHING;
            END
            """,
            """
            CREATE TRIGGER \(table)_card_DELETE AFTER DELETE ON \(table) BEGIN
                \(noteGroups(ofMembersWith: "\(key)"));
                INSERT INTO changedCardGroup SELECT source, card, id FROM cardEntry WHERE \(key) AND isGroup
                    ON CONFLICT DO NOTHING;
                DELETE FROM cardMember WHERE \(key);
                DELETE FROM cardAddress WHERE \(key);
                DELETE FROM cardEntry WHERE \(key);
                DELETE FROM changedCard WHERE \(key);
            END
            """,
        ]
    }

    /// Returns the statement that records the groups of which a card is a member.
    ///
    /// - Parameter condition: The condition of the card's row in `cardEntry`, by `source` and `card`.
    static func noteGroups(ofMembersWith condition: String) -> String {
        """
        INSERT INTO changedCardGroup
            SELECT cardMember.source, cardMember.card, cardEntry.id
            FROM cardMember JOIN cardEntry ON cardEntry.source = cardMember.source AND cardEntry.card = cardMember.card
            WHERE (cardMember.memberSource, cardMember.uid) IN (SELECT source, uid FROM cardEntry WHERE \(condition))
            ON CONFLICT DO NOTHING
        """
    }
}
