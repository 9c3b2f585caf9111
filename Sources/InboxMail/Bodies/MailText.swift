public import Foundation

/// Finds the quotations, the signature and the links in a mail's plain text.
public enum MailText {
    /// A part of a text.
    public struct Part: Hashable, Sendable {
        /// The kind of the part.
        public enum Kind: Hashable, Sendable {
            /// The author's own text.
            case own
            /// A quotation of an earlier mail, with the line that introduces it.
            case quoted
            /// The text after a line of two hyphens (RFC 3676, section 4.3).
            case signature
        }

        /// The kind of the part.
        public let kind: Kind
        /// The lines of the part.
        public let text: String
        /// The links in the part.
        public var links: [Link] { MailText.links(in: text) }
    }

    /// A link in a text.
    public struct Link: Hashable, Sendable {
        /// The range of the link in the text.
        public let range: Range<String.Index>
        /// The target: `http`, `https` or `mailto`.
        public let url: URL
    }

    /// Returns the parts of a text, in order. Concatenated, they are the text.
    public static func parts(of text: String) -> [Part] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let kinds = self.kinds(of: lines)
        var parts: [Part] = []
        var begin = 0
        for index in lines.indices where index + 1 == lines.count || kinds[index + 1] != kinds[begin] {
            let text = lines[begin...index].joined(separator: "\n")
            parts.append(Part(kind: kinds[begin], text: index + 1 == lines.count ? text : text + "\n"))
            begin = index + 1
        }
        return parts
    }

    private static func kinds(of lines: [Substring]) -> [Part.Kind] {
        var kinds = lines.map { $0.hasPrefix(">") ? Part.Kind.quoted : .own }
        for index in lines.indices where kinds[index] == .own {
            if lines[index] == "-- " || lines[index] == "-- \r" {
                for rest in index..<lines.count where kinds[rest] == .own { kinds[rest] = .signature }
                break
            }
            if isForwarding(lines, from: index) {
                for rest in index..<lines.count { kinds[rest] = .quoted }
                break
            }
        }
        // The introduction of a quotation, which may be wrapped into two lines, and the empty lines between.
        for index in lines.indices where kinds[index] == .quoted && index > 0 && kinds[index - 1] == .own {
            var before = index - 1
            while before > 0, lines[before].allSatisfy(\.isWhitespace) { before -= 1 }
            guard isIntroduction(lines[before]) else { continue }
            if before > 0, !lines[before - 1].allSatisfy(\.isWhitespace), beginsIntroduction(lines[before - 1]),
                !beginsIntroduction(lines[before])
            {
                before -= 1
            }
            for line in before..<index where kinds[line] == .own { kinds[line] = .quoted }
        }
        return kinds
    }

    /// Whether a line is an introduction such as "On Monday, Anna wrote:", in the languages in which mail programs
    /// write it.
    static func isIntroduction(_ line: Substring) -> Bool {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard line.hasSuffix(":") else { return false }
        let folded = line.dropLast().lowercased().trimmingCharacters(in: .whitespaces)
        return introductions.contains { folded.hasSuffix($0) || folded.contains("\($0) ") }
    }

    static func beginsIntroduction(_ line: Substring) -> Bool {
        let folded = line.trimmingCharacters(in: .whitespaces).lowercased()
        return ["on ", "am ", "le ", "el ", "em ", "il ", "op ", "den "].contains(where: folded.hasPrefix)
    }

    private static let introductions = [
        "wrote", "schrieb", "a écrit", "escribió", "escreveu", "ha scritto", "schreef", "skrev", "のメール", "写道", "כתב",
        "كتب",
    ]

    /// Whether a header begins here that Outlook and others insert before a mail that they forward or reply to.
    static func isForwarding(_ lines: [Substring], from index: Int) -> Bool {
        let line = lines[index].trimmingCharacters(in: .whitespaces)
        if line.hasPrefix("-----") || line.hasPrefix("_____") {
            let name = line.trimmingCharacters(in: CharacterSet(charactersIn: "-_ ")).lowercased()
            if dividers.contains(name) { return true }
            guard name.isEmpty, line.count >= 10 else { return false }
            return isHeader(lines, from: index + 1)
        }
        return isHeader(lines, from: index)
    }

    /// Whether at least three successive lines begin with names such as "From:", "Sent:", "To:" and "Subject:".
    private static func isHeader(_ lines: [Substring], from index: Int) -> Bool {
        let names = lines.dropFirst(index).prefix(4).prefix { !$0.allSatisfy(\.isWhitespace) }.map { line in
            line.prefix { $0 != ":" }.trimmingCharacters(in: CharacterSet(charactersIn: "* ")).lowercased()
        }
        guard let first = names.first, authors.contains(first) else { return false }
        return names.count(where: headers.contains) >= 3
    }

    private static let authors: Set<String> = ["from", "von", "de", "da", "差出人"]
    private static let headers: Set<String> = [
        "from", "sent", "date", "to", "cc", "subject", "von", "gesendet", "datum", "an", "betreff", "de", "envoyé", "à",
        "objet", "enviado", "para", "asunto", "assunto", "差出人", "送信日時", "宛先", "件名",
    ]
    private static let dividers: Set<String> = [
        "original message", "forwarded message", "ursprüngliche nachricht", "weitergeleitete nachricht",
        "message d'origine", "message transféré", "mensaje original", "mensagem original",
    ]

    /// Returns the web and mail addresses in a text, in order.
    public static func links(in text: String) -> [Link] {
        var links: [Link] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { !$0.isWhitespace && !"<([{\"'„“‚«".contains($0) }) {
            let word = rest[start...].prefix { !$0.isWhitespace && !"<>\"“”«»".contains($0) }
            let end = word.endIndex
            if let link = link(word) { links.append(link) }
            rest = end < rest.endIndex ? rest[rest.index(after: end)...] : ""
        }
        return links
    }

    /// The maximum length of a link, in bytes.
    private static let maxLinkLength = 2_048

    private static func link(_ word: Substring) -> Link? {
        guard word.utf8.count <= maxLinkLength else { return nil }
        let trimmed = trimmingTrailingPunctuation(word)
        let lower = trimmed.lowercased()
        let address: String
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") || lower.hasPrefix("mailto:") {
            address = String(trimmed)
        } else if lower.hasPrefix("www."), lower.dropFirst(4).contains(".") {
            address = "https://\(trimmed)"
        } else if isMailAddress(trimmed) {
            address = "mailto:\(trimmed)"
        } else {
            return nil
        }
        guard let url = URL(string: address), url.scheme != nil, url.scheme == "mailto" || url.host()?.isEmpty == false
        else { return nil }
        return Link(range: trimmed.startIndex..<trimmed.endIndex, url: url)
    }

    /// Returns a word without trailing punctuation and without a closing bracket that was opened before the word.
    private static func trimmingTrailingPunctuation(_ word: Substring) -> Substring {
        var word = word
        while let last = word.last {
            if ".,;:!?…'’”".contains(last) {
                word = word.dropLast()
            } else if let open = [")": "(", "]": "[", "}": "{"][String(last)],
                word.count(where: { String($0) == open }) < word.count(where: { $0 == last })
            {
                word = word.dropLast()
            } else {
                break
            }
        }
        return word
    }

    private static func isMailAddress(_ word: Substring) -> Bool {
        let parts = word.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), !parts[1].hasPrefix("."),
            !parts[1].hasSuffix(".")
        else { return false }
        let isPart = { (character: Character) in character.isLetter || character.isNumber || "._%+-".contains(character)
        }
        return parts[0].allSatisfy(isPart) && parts[1].allSatisfy { $0.isLetter || $0.isNumber || ".-".contains($0) }
    }
}
