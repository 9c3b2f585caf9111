import Foundation

/// The reading of addresses out of a text that a person has typed.
///
/// The text is split into entries at separators that aren't within quotation marks or parentheses; then each entry is
/// read by itself.
struct AddressReader {
    /// The maximum length of a name in bytes.
    static let maxNameLength = 500
    /// The maximum number of commas in a name without quotation marks.
    private static let maxNameCommas = 3

    private let text: String
    private let isForBlindCopies: Bool
    private let scalars: [Unicode.Scalar]
    /// The place of each scalar, and the end.
    private let places: [String.Index]
    /// The places of closing quotation marks and brackets, by the places of the opening ones.
    private let closings: [Int: Int]
    private var entries: [Entry] = []
    /// Whether semicolons are between addresses, so that commas can be in names.
    private var hasSemicolons = false
    private var result = TypedAddresses()

    /// A part between separators, without the spaces around it.
    private struct Entry {
        var range: Range<Int>
        let separator: Unicode.Scalar
        var isGroup = false
    }

    init(_ text: String, isForBlindCopies: Bool) {
        (self.text, self.isForBlindCopies) = (text, isForBlindCopies)
        scalars = Array(text.unicodeScalars)
        places = Array(text.unicodeScalars.indices) + [text.endIndex]
        closings = AddressDelimiters.closings(in: scalars)
    }

    mutating func run() -> TypedAddresses {
        split()
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            index += 1
            if entry.isGroup, !isForBlindCopies, isLineOfBlindCopies(entry) {
                index = rejectLine(entry, before: index)
            } else if entry.isGroup {
                readGroup(entry, before: index)
            } else if let last = endOfName(from: index - 1) {
                readEntry(entry.range.lowerBound..<entries[last].range.upperBound)
                index = last + 1
            } else if !isBlank(entry.range) {
                readEntry(entry.range)
            }
        }
        return result
    }

    // MARK: Entries

    private mutating func split() {
        var (index, start) = (0, 0)
        var (hasAt, isInGroup) = (false, false)
        while index < scalars.count {
            let scalar = scalars[index]
            if AddressDelimiters.isSeparator(scalar) {
                if AddressDelimiters.semicolons.contains(scalar) {
                    hasSemicolons = hasSemicolons || !isInGroup
                    isInGroup = false
                }
                entries.append(Entry(range: trimmed(start..<index), separator: scalar))
                (index, start, hasAt) = (index + 1, index + 1, false)
            } else if scalar == ":" || scalar == "\u{FF1A}", !hasAt, !endsWithMailto(start..<index) {
                entries.append(Entry(range: trimmed(start..<index + 1), separator: scalar, isGroup: true))
                (index, start, isInGroup) = (index + 1, index + 1, true)
            } else if scalar == "<", let closing = closings[index] {
                index = skipSpaces(closing + 1)
                hasAt = true
                // A comment belongs to the address before it.
                while index < scalars.count, scalars[index] == "(", let closing = closings[index] {
                    index = skipSpaces(closing + 1)
                }
                guard index < scalars.count, !AddressDelimiters.isSeparator(scalars[index]) else { continue }
                entries.append(Entry(range: trimmed(start..<index), separator: ","))
                (start, hasAt) = (index, false)
            } else {
                hasAt = hasAt || scalar == "@"
                index = (closings[index] ?? index) + 1
            }
        }
        entries.append(Entry(range: trimmed(start..<scalars.count), separator: "\n"))
    }

    /// The name of a group is left out, if the group has members or is empty as it may be.
    private mutating func readGroup(_ entry: Entry, before index: Int) {
        let next = entries[index]
        let isEmpty = isBlank(next.range) && !next.isGroup
        if isEmpty, !AddressDelimiters.semicolons.contains(next.separator) { reject(entry.range, .missingAt) }
    }

    /// Whether an entry begins a header line with the recipients of a blind copy.
    private func isLineOfBlindCopies(_ entry: Entry) -> Bool {
        let name = trimmed(entry.range.lowerBound..<entry.range.upperBound - 1)
        guard name.count <= Self.maxBlindCopyName else { return false }
        return Self.blindCopyNames.contains(string(name).lowercased())
    }

    /// The names of the header line `Bcc:`, in the languages of the screens.
    private static let blindCopyNames: Set<String> = [
        "bcc", "blindkopie", "cci", "copie cachée", "copie cachée à", "cco", "copia oculta", "cópia oculta",
        "نسخة مخفية", "نسخة مخفية إلى", "עותק מוסתר",
    ]
    private static let maxBlindCopyName = 24

    /// Rejects a line as a whole, as far as it isn't continued after a comma.
    ///
    /// - Parameter start: The entry after its name.
    /// - Returns: The entry after the line.
    private mutating func rejectLine(_ name: Entry, before start: Int) -> Int {
        var (index, range) = (start, name.range)
        while index < entries.count, !entries[index].isGroup {
            let entry = entries[index]
            index += 1
            guard !isBlank(entry.range) else { continue }
            range = range.lowerBound..<entry.range.upperBound
            if AddressDelimiters.isLineBreak(entry.separator) { break }
        }
        reject(range, .blindCopy)
        return index
    }

    /// Returns the entry that a name with commas, which begins with an entry, ends in.
    private func endOfName(from start: Int) -> Int? {
        guard hasSemicolons else { return nil }
        for index in start..<min(start + Self.maxNameCommas + 1, entries.count) {
            let entry = entries[index]
            guard !entry.isGroup, !isBlank(entry.range) else { return nil }
            if let angle = angle(in: entry.range) {
                return index > start && angle > entry.range.lowerBound ? index : nil
            }
            guard entry.separator == ",", !entry.range.contains(where: { scalars[$0] == "@" }) else { return nil }
        }
        return nil
    }

    // MARK: One entry

    private mutating func readEntry(_ range: Range<Int>) {
        if let angle = angle(in: range), let closing = closings[angle] {
            let comment = comment(in: trimmed(closing + 1..<range.upperBound))
            let before = name(range.lowerBound..<angle)
            add(address(angle + 1..<closing), name: before.isEmpty ? comment : before, range)
        } else if let start = mailtoBracket(in: range) {
            add(address(start + 1..<range.upperBound - 1), name: name(range.lowerBound..<start), range)
        } else {
            readBare(range)
        }
    }

    /// Reads an entry without angle brackets.
    private mutating func readBare(_ range: Range<Int>) {
        let parts = words(range)
        let comment = parts.last { scalars[$0.lowerBound] == "(" && closings[$0.lowerBound] == $0.upperBound - 1 }
        let words = parts.filter { scalars[$0.lowerBound] != "(" || closings[$0.lowerBound] != $0.upperBound - 1 }
        let withAt = words.filter { $0.contains { scalars[$0] == "@" } }
        guard let first = words.first, let last = words.last else { return reject(range, .missingAt) }
        if words.count == 1 {
            add(address(first), name: comment.map(commentText) ?? "", range)
        } else if withAt.count == words.count {
            for word in words { add(address(word), name: "", word) }
        } else if withAt.count == 1, withAt[0] == last {
            add(address(last), name: name(range.lowerBound..<last.lowerBound), range)
        } else {
            reject(range, EmailAddress(email: string(range)).problem ?? .notReadable)
        }
    }

    private mutating func add(_ email: String, name: String, _ range: Range<Int>) {
        let address = EmailAddress(name: name.isEmpty || name == email ? nil : name, email: email)
        if let problem = address.problem {
            // An unclosed quotation or bracket is the cause of problems that follow.
            let isOpen = range.contains { AddressDelimiters.isOpening(scalars[$0]) && closings[$0] == nil }
            reject(range, isOpen ? .notReadable : problem)
        } else {
            result.addresses.append(address)
        }
    }

    private mutating func reject(_ range: Range<Int>, _ problem: AddressProblem) {
        let range = places[range.lowerBound]..<places[range.upperBound]
        result.unreadable.append(.init(text: String(text[range]), range: range, problem: problem))
    }

    // MARK: Parts

    private func string(_ range: Range<Int>) -> String {
        String(text.unicodeScalars[places[range.lowerBound]..<places[range.upperBound]])
    }

    /// Returns the address in a range, without characters that are often pasted with it.
    private func address(_ range: Range<Int>) -> String {
        var range = trimmed(range)
        while let first = range.first, scalars[first] == "<" { range = trimmed(first + 1..<range.upperBound) }
        let colon = range.firstIndex { scalars[$0] == ":" }
        if let colon, endsWithMailto(range.lowerBound..<range[colon]) {
            range = trimmed(range[colon] + 1..<range.upperBound)
            if let query = range.first(where: { scalars[$0] == "?" }) { range = range.lowerBound..<query }
        }
        for quotes in AddressDelimiters.pairs where range.count > 2 {
            guard scalars[range.lowerBound] == quotes.0, scalars[range.upperBound - 1] == quotes.1 else { continue }
            let inner = range.lowerBound + 1..<range.upperBound - 1
            if EmailAddress(email: string(inner)).problem == nil { range = inner }
        }
        return string(range)
    }

    private func name(_ range: Range<Int>) -> String {
        let range = trimmed(range)
        guard let first = range.first, let last = range.last else { return "" }
        if scalars[first] == "\"", closings[first] == last {
            var (name, isEscaped) = (String.UnicodeScalarView(), false)
            for scalar in scalars[first + 1..<last] {
                isEscaped = scalar == "\\" && !isEscaped
                if !isEscaped { name.append(scalar) }
            }
            return PlainCharacters.line(String(name), maxLength: Self.maxNameLength)
        }
        let isQuoted = AddressDelimiters.pairs.contains { scalars[first] == $0.0 && scalars[last] == $0.1 }
        let inner = isQuoted && range.count > 2 ? first + 1..<last : range
        let words = string(inner).split(whereSeparator: \.isWhitespace)
        return PlainCharacters.line(words.joined(separator: " "), maxLength: Self.maxNameLength)
    }

    private func comment(in range: Range<Int>) -> String {
        guard let first = range.first, scalars[first] == "(", let closing = closings[first] else { return "" }
        return commentText(first..<closing + 1)
    }

    private func commentText(_ range: Range<Int>) -> String { name(range.lowerBound + 1..<range.upperBound - 1) }

    /// Returns the angle bracket before the address of an entry, or nil.
    private func angle(in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if scalars[index] == "<", closings[index] != nil { return index }
            index = (closings[index] ?? index) + 1
        }
        return nil
    }

    private func mailtoBracket(in range: Range<Int>) -> Int? {
        guard let last = range.last, scalars[last] == "]" else { return nil }
        guard let start = range.last(where: { scalars[$0] == "[" }),
            let colon = (start..<last).first(where: { scalars[$0] == ":" })
        else { return nil }
        return endsWithMailto(start..<colon) ? start : nil
    }

    private func endsWithMailto(_ range: Range<Int>) -> Bool {
        let word = "mailto".unicodeScalars
        guard range.count >= word.count else { return false }
        return zip(range.suffix(word.count), word).allSatisfy { scalars[$0].properties.lowercaseMapping == String($1) }
    }

    /// Returns the parts between spaces that aren't within quotation marks or parentheses.
    private func words(_ range: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var (index, start) = (range.lowerBound, range.lowerBound)
        while index < range.upperBound {
            let isSpace = scalars[index].properties.isWhitespace
            let isComment = scalars[index] == "(" && closings[index] != nil
            if isSpace || isComment, start < index { words.append(start..<index) }
            let next = min((closings[index] ?? index) + 1, range.upperBound)
            if isComment { words.append(index..<next) }
            if isSpace || isComment { start = next }
            index = next
        }
        if start < range.upperBound { words.append(start..<range.upperBound) }
        return words
    }

    private func skipSpaces(_ start: Int) -> Int {
        var index = start
        while index < scalars.count, isLayout(scalars[index]), !AddressDelimiters.isSeparator(scalars[index]) {
            index += 1
        }
        return index
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isLayout(scalars[start]) { start += 1 }
        while start < end, isLayout(scalars[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether an entry consists of remains of pasted brackets.
    private func isBlank(_ range: Range<Int>) -> Bool { range.allSatisfy { scalars[$0] == ">" } }

    /// Whether a scalar is a space, or invisible: address books add marks of direction and width.
    private func isLayout(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }
}
