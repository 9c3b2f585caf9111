import Foundation
import GRDB
import Groundwork
import Replica

/// SQLite's full-text index (FTS5) of the mails on this device. Words are found by prefix, without regard to case and
/// accents.
enum SearchIndex {
    static let schema = [
        """
        CREATE VIRTUAL TABLE emailText USING fts5(
            subject, people, body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
        """,
        "CREATE TABLE changedText(email INTEGER PRIMARY KEY)",
        """
        CREATE TABLE emailBody(
            id TEXT PRIMARY KEY, json BLOB NOT NULL, text TEXT NOT NULL, size INTEGER NOT NULL, usedAt INTEGER NOT NULL)
        """,
        // A covering index: reading the rows themselves would read the bodies.
        "CREATE INDEX emailBodyByUse ON emailBody(usedAt, id, size)",
        """
        CREATE TRIGGER email_text_INSERT AFTER INSERT ON email BEGIN
            INSERT INTO changedText VALUES (NEW.rowid) ON CONFLICT DO NOTHING;
        END
        """,
        """
        CREATE TRIGGER email_text_DELETE AFTER DELETE ON email BEGIN
            DELETE FROM emailText WHERE rowid = OLD.rowid;
            DELETE FROM changedText WHERE email = OLD.rowid;
            DELETE FROM emailBody WHERE id = OLD.\(RecordTable.id);
        END
        """,
        """
        CREATE TRIGGER emailBody_text_DELETE AFTER DELETE ON emailBody BEGIN
            INSERT INTO changedText SELECT rowid FROM email WHERE \(RecordTable.id) = OLD.id ON CONFLICT DO NOTHING;
        END
        """,
        """
        CREATE TRIGGER emailBody_text_INSERT AFTER INSERT ON emailBody BEGIN
            INSERT INTO changedText SELECT rowid FROM email WHERE \(RecordTable.id) = NEW.id ON CONFLICT DO NOTHING;
        END
        """,
    ]

    /// Returns the FTS5 expression for a search text: each word has to be a prefix of a word in the mail. Nil if the
    /// text has no words.
    static func expression(_ text: String) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
        guard !words.isEmpty else { return nil }
        // A quoted word is never an operator.
        return words.prefix(maxWords).map { "\"\($0)\"*" }.joined(separator: " ")
    }

    private static let maxWords = 32

    /// The characters around each match. No text contains them.
    static let markBegin: Character = "\u{1}", markEnd: Character = "\u{2}"

    /// The maximum number of characters of a mail's text that are indexed.
    static let maxTextLength = 200_000
}

extension StoreWriter {
    /// Indexes the mails that have changed since the last call.
    func indexTexts() throws {
        let changed = try Int.fetchAll(db.cachedStatement(sql: "SELECT email FROM changedText"))
        guard !changed.isEmpty else { return }
        let select = try db.cachedStatement(
            sql: """
                SELECT subject, preview, \(RecordTable.json),
                    (SELECT text FROM emailBody WHERE emailBody.id = email.\(RecordTable.id)) FROM email
                    WHERE rowid = ?
                """
        )
        let forget = try db.cachedStatement(sql: "DELETE FROM emailText WHERE rowid = ?")
        let insert = try db.cachedStatement(
            sql: "INSERT INTO emailText(rowid, subject, people, body) VALUES (?, ?, ?, ?)"
        )
        for rowid in changed {
            try forget.execute(arguments: [rowid])
            guard let row = try Row.fetchOne(select, arguments: [rowid]) else { continue }
            let details = MailDetails.Source(text: Array(row[2] as Data)).value
            let people = (details.from + details.to + details.cc + details.bcc).prefix(ThreadSummary.maxParticipants)
                .map { "\($0.name ?? "") \($0.email)" }.joined(separator: "\n")
            let body: String = row[3] ?? row[1] ?? ""
            try insert.execute(arguments: [
                rowid, row[0] as String?, people, String(body.prefix(SearchIndex.maxTextLength)),
            ])
        }
        try db.cachedStatement(sql: "DELETE FROM changedText").execute()
    }
}

extension Database {
    /// Searches the index. Only returned results are marked: marking a match reads the mail's text again.
    func search(_ expression: String, limit: Int) throws -> [Mail.SearchResult] {
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: """
                    SELECT email.\(RecordTable.id), highlight(emailText, 0, :begin, :end),
                        snippet(emailText, 2, :begin, :end, '…', 24)
                        FROM emailText CROSS JOIN email ON email.rowid = emailText.rowid
                        WHERE emailText MATCH :expression AND +emailText.rowid IN (
                            SELECT email.rowid FROM emailText JOIN email ON email.rowid = emailText.rowid
                                WHERE emailText MATCH :expression
                                ORDER BY email.receivedAt DESC, email.\(RecordTable.id) DESC LIMIT :limit)
                        ORDER BY email.receivedAt DESC, email.\(RecordTable.id) DESC
                    """
            ),
            arguments: [
                "begin": String(SearchIndex.markBegin), "end": String(SearchIndex.markEnd), "expression": expression,
                "limit": limit,
            ]
        )
        let ids = rows.map { $0[0] as String }
        let messages = Dictionary(
            try StoreQuery(Query(where: #Predicate { ids.contains($0.id) }), .email).fetch(self).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return rows.compactMap { row in
            messages[row[0]].map { message in
                Mail.SearchResult(
                    message: message,
                    subject: HighlightedText(row[1] ?? "", from: SearchIndex.markBegin, to: SearchIndex.markEnd),
                    snippet: HighlightedText(row[2] ?? "", from: SearchIndex.markBegin, to: SearchIndex.markEnd)
                )
            }
        }
    }
}
