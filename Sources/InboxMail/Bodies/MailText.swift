public import Foundation

/// Finds in a mail's plain text what was quoted, where the signature begins, and the links.
public enum MailText {
    /// A piece of a text.
    public struct Part: Hashable, Sendable {
        /// What it is.
        public enum Kind: Hashable, Sendable {
            /// What the author wrote.
            case own
            /// A quotation of an earlier mail, with the line that introduces it.
            case quoted
            /// What follows the line of two hyphens (RFC 3676 §4.3).
            case signature
        }

        /// What it is.
        public let kind: Kind
        /// Its lines.
        public let text: String
        /// Its links.
        public var links: [Link] { MailText.links(in: text) }
    }

    /// Something in a text that leads somewhere.
    public struct Link: Hashable, Sendable {
        /// Where it stands in the text.
        public let range: Range<String.Index>
        /// Where it leads: `http`, `https` or `mailto`.
        public let url: URL
    }

    /// The text's parts, in their order. Put together, they are the text.
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
        // The line that introduces a quotation, which may be broken into two, and the empty lines between.
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

    /// "On Monday, Anna wrote:" in the languages in which mail programs write it.
    private static func isIntroduction(_ line: Substring) -> Bool {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard line.hasSuffix(":") else { return false }
        let folded = line.dropLast().lowercased().trimmingCharacters(in: .whitespaces)
        return introductions.contains { folded.hasSuffix($0) || folded.contains("\($0) ") }
    }

    private static func beginsIntroduction(_ line: Substring) -> Bool {
        let folded = line.trimmingCharacters(in: .whitespaces).lowercased()
        return ["on ", "am ", "le ", "el ", "em ", "il ", "op ", "den "].contains(where: folded.hasPrefix)
    }

    private static let introductions = [
        "wrote", "schrieb", "a écrit", "escribió", "escreveu", "ha scritto", "schreef", "skrev", "のメール", "写道", "כתב",
        "كتب",
    ]

    /// A header that Outlook and others put before what they forward or answer.
    private static func isForwarding(_ lines: [Substring], from index: Int) -> Bool {
        let line = lines[index].trimmingCharacters(in: .whitespaces)
        if line.hasPrefix("-----") || line.hasPrefix("_____") {
            let name = line.trimmingCharacters(in: CharacterSet(charactersIn: "-_ ")).lowercased()
            if dividers.contains(name) { return true }
            guard name.isEmpty, line.count >= 10 else { return false }
            return isHeader(lines, from: index + 1)
        }
        return isHeader(lines, from: index)
    }

    /// Three lines or more of "From:", "Sent:", "To:", "Subject:", one after the other.
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

    /// The web and mail addresses in a text, in their order.
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

    /// What is longer is no link that anybody wants.
    private static let longestLink = 2_048

    private static func link(_ word: Substring) -> Link? {
        guard word.utf8.count <= longestLink else { return nil }
        let trimmed = withoutTail(word)
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

    /// Without the marks that end a sentence, and a closing bracket that was opened before it.
    private static func withoutTail(_ word: Substring) -> Substring {
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
