import Foundation
import GRDB
import Groundwork
import Replica

/// SQLite's full-text index (FTS5) of the groups' names, for completion.
enum ContactGroupIndex {
    static let schema = [
        """
        CREATE VIRTUAL TABLE contactGroupText USING fts5(
            words, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4')
        """,
        """
        CREATE TRIGGER contactGroup_text_INSERT AFTER INSERT ON contactGroup BEGIN
            INSERT INTO contactGroupText(rowid, words) VALUES (NEW.rowid, NEW.name);
        END
        """,
        """
        CREATE TRIGGER contactGroup_text_DELETE AFTER DELETE ON contactGroup BEGIN
            DELETE FROM contactGroupText WHERE rowid = OLD.rowid;
        END
        """,
        """
        CREATE TRIGGER contactGroup_text_UPDATE AFTER UPDATE ON contactGroup WHEN NEW.name IS NOT OLD.name BEGIN
            UPDATE contactGroupText SET words = NEW.name WHERE rowid = NEW.rowid;
        END
        """,
    ]

    /// The maximum number of groups that are read for a search, of which the first by name are returned.
    fileprivate static let maxCandidates = 100
    /// The maximum number of groups in a completion.
    fileprivate static let maxGroups = 3
}

extension Database {
    /// Returns the contact and the groups that a search finds, and the other contacts after them.
    func completions(matching search: ContactIndex.Search, limit: Int) throws -> [MailCompletion] {
        let contacts = try contacts(matching: search, limit: limit)
        // The first completion can be accepted by a key without a look: one person is safer there than a group.
        let best = contacts.prefix(1)
        let groups = try contactGroups(matching: search, limit: min(ContactGroupIndex.maxGroups, limit - best.count))
        return best.map { .contact($0) } + groups.map { .group($0) }
            + contacts.dropFirst().prefix(limit - best.count - groups.count).map { .contact($0) }
    }

    /// Returns the groups whose names a search finds, by name.
    private func contactGroups(matching search: ContactIndex.Search, limit: Int) throws -> [MailContactGroup] {
        guard limit > 0 else { return [] }
        let select = try cachedStatement(
            sql: """
                SELECT \(RecordTable.id) FROM contactGroup WHERE rowid IN
                    (SELECT rowid FROM contactGroupText WHERE contactGroupText MATCH ? LIMIT ?)
                """
        )
        let ids = try String.fetchAll(select, arguments: [search.expression, ContactGroupIndex.maxCandidates])
        if ids.isEmpty { return [] }
        return try StoreQuery(
            Query<MailContactGroup>(where: #Predicate { ids.contains($0.id) }, limit: limit),
            .contactGroup
        ).fetch(self)
    }
}
