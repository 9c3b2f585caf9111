import Foundation
import GRDB
import Groundwork
import MailComposing
import Replica

/// SQLite's full-text index (FTS5) of the contacts, for completion. Words are found by prefix, without regard to case
/// and accents.
///
/// A row's number contains the contact's rank, the highest rank first, so that the first results are the best ones and
/// the others aren't read: one letter can have tens of thousands of results.
enum ContactIndex {
    static let schema = [
        """
        CREATE VIRTUAL TABLE contactText USING fts5(
            words, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4')
        """,
        """
        CREATE TRIGGER contact_text_INSERT AFTER INSERT ON contact BEGIN
            INSERT INTO contactText(rowid, words) VALUES (\(number("NEW")), NEW.words);
        END
        """,
        """
        CREATE TRIGGER contact_text_DELETE AFTER DELETE ON contact BEGIN
            DELETE FROM contactText WHERE rowid = \(number("OLD"));
        END
        """,
        """
        CREATE TRIGGER contact_text_UPDATE AFTER UPDATE ON contact
        WHEN NEW.rank IS NOT OLD.rank OR NEW.words IS NOT OLD.words BEGIN
            DELETE FROM contactText WHERE rowid = \(number("OLD"));
            INSERT INTO contactText(rowid, words) VALUES (\(number("NEW")), NEW.words);
        END
        """,
    ]

    /// The number of bits for the contact's own number.
    private static let numberBits = 28

    private static func number(_ row: String) -> String {
        "((\(ContactRank.max) - \(row).rank) << \(numberBits)) | (\(row).rowid & \((1 << numberBits) - 1))"
    }

    /// Returns the number of a contact from that of its row in the index.
    fileprivate static func contact(_ number: Int) -> Int { number & ((1 << numberBits) - 1) }

    /// Begins the last part of a domain in the index. Private use: no name has it, and no typed word.
    private static let domainEnd: Unicode.Scalar = "\u{E000}"

    /// Returns the words by which a contact is found: those of the name, the local part and the domain. The domain's
    /// last part is marked: `c` isn't meant to find all of `.com`.
    static func words(_ address: EmailAddress) -> String {
        let shown = EmailAddress(email: address.displayEmail)
        var labels = (shown.domain ?? "").split(separator: ".").map(String.init)
        if labels.count > 1, let last = labels.popLast() { labels.append("\(domainEnd)\(last)") }
        return ([address.name ?? "", String(shown.localPart)] + labels).joined(separator: " ")
    }

    private static let maxTypedWords = 8, maxTypedLength = 256
    /// The longest prefixes that have an index of their own.
    private static let prefixLength = 4
    /// The number of contacts whose words are read at most, before those of a word are looked up in the index.
    fileprivate static let maxCandidates = 300

    /// A typed text, as words that each have to be a prefix of one of the contact's.
    struct Search {
        private var words: [(text: String, followsDot: Bool)] = []

        /// - Returns: Nil if the text has no words.
        init?(_ text: String) {
            var (last, isInWord): (Character, Bool) = (" ", false)
            for character in text.prefix(maxTypedLength) {
                let isLetter = character.isLetter || character.isNumber
                if isLetter, isInWord {
                    words[words.count - 1].text.append(character)
                } else if isLetter {
                    guard words.count < maxTypedWords else { break }
                    words.append((String(character), last == "."))
                }
                (last, isInWord) = (character, isLetter)
            }
            if words.isEmpty { return nil }
        }

        /// The FTS5 expression.
        var expression: String { expression { $0 } }

        /// An expression that finds other contacts too, without any that takes long to begin with: FTS5 reads all
        /// places of a prefix that has no index before it returns the first one. Nil if there is no such prefix.
        var widerExpression: String? {
            words.contains { $0.text.unicodeScalars.count > prefixLength }
                ? expression { String($0.unicodeScalars.prefix(prefixLength)) } : nil
        }

        private func expression(_ cut: (String) -> String) -> String {
            // A quoted word is never an operator.
            words.map { word in
                let text = cut(word.text)
                return word.followsDot ? "(\"\(text)\"* OR \"\(domainEnd)\(text)\"*)" : "\"\(text)\"*"
            }.joined(separator: " AND ")
        }

        /// Whether contacts with these ``ContactIndex/words(_:)`` match.
        func matches(_ text: String) -> Bool {
            let found = SearchText.folded(text)
                .split { !$0.isLetter && !$0.isNumber && !$0.unicodeScalars.contains(ContactIndex.domainEnd) }
            return words.allSatisfy { word in
                let typed = SearchText.folded(word.text)
                return found.contains { known in
                    known.hasPrefix(typed) || word.followsDot && known.hasPrefix("\(domainEnd)\(typed)")
                }
            }
        }
    }
}

extension Database {
    /// Returns the contacts that a search finds, the highest rank first.
    func contacts(matching search: ContactIndex.Search, limit: Int) throws -> [MailContact] {
        let select = try cachedStatement(sql: "SELECT \(RecordTable.id) FROM contact WHERE rowid = ?")
        let ids = try indexRows(matching: search, limit: limit).compactMap { number in
            try String.fetchOne(select, arguments: [ContactIndex.contact(number)])
        }
        // In the same order.
        return try StoreQuery(Query(where: #Predicate { ids.contains($0.id) }), .contact).fetch(self)
    }

    private func indexRows(matching search: ContactIndex.Search, limit: Int) throws -> [Int] {
        let sql = "SELECT rowid, words FROM contactText WHERE contactText MATCH ? ORDER BY rowid LIMIT ?"
        // A frequent word is soon found among the first ones with the same beginning. The places of another are few.
        if let wider = search.widerExpression {
            let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: [wider, ContactIndex.maxCandidates])
            var numbers: [Int] = []
            while numbers.count < limit, let row = try rows.next() {
                if search.matches(row[1]) { numbers.append(row[0]) }
            }
            if numbers.count == limit { return numbers }
        }
        return try Int.fetchAll(cachedStatement(sql: sql), arguments: [search.expression, limit])
    }
}
