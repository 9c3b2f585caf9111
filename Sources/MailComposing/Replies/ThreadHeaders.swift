/// The header fields by which a mail is part of a conversation (RFC 5322, section 3.6.4).
package struct ThreadHeaders: Hashable, Sendable {
    /// The ids of the mails that are replied to.
    package var inReplyTo: [String]
    /// The ids of the earlier mails in the conversation, the oldest first.
    package var references: [String]

    /// Creates header fields.
    package init(inReplyTo: [String] = [], references: [String] = []) {
        self.inReplyTo = inReplyTo
        self.references = references
    }

    /// The maximum number of references, besides the first one: the newest.
    package static let maxRecentCount = 20

    /// Returns the header fields of a reply: the references of the mail, or the id that it replies to, and its own id.
    ///
    /// Each id is there once, where it was last. Invalid ones are left out. A long conversation keeps the first id and
    /// the last 20. A mail without an id gets no `In-Reply-To`.
    package static func reply(to mail: QuotedMail) -> ThreadHeaders {
        let own = mail.messageIDs.filter(MessageID.isValid).prefix(1)
        var earlier = mail.references.filter(MessageID.isValid)
        if earlier.isEmpty {
            // With several, it isn't known which of them the conversation is.
            let parents = mail.inReplyTo.filter(MessageID.isValid)
            if parents.count == 1 { earlier = parents }
        }
        return ThreadHeaders(inReplyTo: Array(own), references: bounded(earlier + own))
    }

    private static func bounded(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        let unique = Array(ids.reversed().filter { seen.insert($0).inserted }.reversed())
        guard unique.count > maxRecentCount + 1 else { return unique }
        return [unique[0]] + unique.suffix(maxRecentCount)
    }
}
