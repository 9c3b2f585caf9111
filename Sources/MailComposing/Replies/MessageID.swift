package import Groundwork

/// The identifiers of mails, as JMAP has them: without angle brackets (RFC 5322, section 3.6.4).
package enum MessageID {
    /// The maximum length of an id in bytes. A header line has at most 998 (RFC 5322, section 2.1.1).
    package static let maxLength = 900

    /// Returns a new id, which can't be guessed.
    ///
    /// - Parameters:
    ///   - address: The sender, whose domain is the id's. Another one than a valid address has the domain `localhost`.
    ///   - random: The source of 160 random bits.
    package static func make(for address: EmailAddress, random: RandomSource) -> String {
        make(domain: address.asciiDomain ?? "", random: random)
    }

    /// Returns a new id, which can't be guessed.
    ///
    /// - Parameters:
    ///   - domain: The id's domain, of any script. Another one than a valid host name is replaced by `localhost`.
    ///   - random: The source of 160 random bits.
    package static func make(domain: String, random: RandomSource) -> String {
        let ascii = DomainName.ascii(domain).flatMap { $0.hasPrefix("[") ? nil : $0 }
        return "\(random.token(length: 32))@\(ascii ?? "localhost")"
    }

    /// Whether an id can be written into a header field: ASCII without spaces, control characters and angle brackets,
    /// and not too long. Ids of other programs often break the rules of RFC 5322 otherwise.
    package static func isValid(_ id: some StringProtocol) -> Bool {
        let utf8 = id.utf8
        return !utf8.isEmpty && utf8.count <= maxLength
            && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }

    /// Returns the ids in the value of a header field, or in a pasted text: those in angle brackets, or else the words.
    /// Invalid ones are left out.
    package static func parse(_ text: String) -> [String] {
        let scalars = text.unicodeScalars
        guard scalars.contains("<") else {
            return text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).filter(isValid).map { String($0) }
        }
        var ids: [String] = []
        var start: String.Index?
        for index in scalars.indices {
            if scalars[index] == "<" {
                start = scalars.index(after: index)
            } else if scalars[index] == ">", let begin = start {
                // Long ones are folded.
                let id = String(text[begin..<index].filter { !$0.isWhitespace })
                if isValid(id) { ids.append(id) }
                start = nil
            }
        }
        return ids
    }
}
