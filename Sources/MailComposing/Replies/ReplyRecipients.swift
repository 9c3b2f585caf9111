/// The recipients of a reply.
package struct ReplyRecipients: Hashable, Sendable {
    /// The recipients.
    package var to: [EmailAddress]
    /// The recipients of a copy.
    package var cc: [EmailAddress]

    /// Creates recipients.
    package init(to: [EmailAddress] = [], cc: [EmailAddress] = []) {
        self.to = to
        self.cc = cc
    }

    /// Returns the recipients of a reply to the author: the addresses of `Reply-To`, or else of `From`.
    ///
    /// A reply to a mail of the person's own goes to the recipients of that mail.
    ///
    /// - Parameters:
    ///   - mail: The mail.
    ///   - me: The person's own addresses. None of them is a recipient, unless the person wrote to themselves.
    package static func reply(to mail: QuotedMail, me: [EmailAddress]) -> ReplyRecipients {
        let me = OwnAddresses(me)
        var recipients = ReplyRecipients()
        if me.wrote(mail) {
            recipients.to = unique(mail.to, without: me)
            // The copies were all that it had.
            if recipients.to.isEmpty { recipients.to = unique(mail.cc, without: me) }
            if recipients.to.isEmpty { recipients.to = unique(mail.to, without: nil) }
        } else {
            recipients.to = authors(of: mail, without: me)
        }
        return recipients
    }

    /// Returns the recipients of a reply to all: those of ``reply(to:me:)``, and a copy to the other recipients of the
    /// mail, so also to a mailing list (RFC 5322, section 3.6.3).
    ///
    /// No address is named twice. The recipients of blind copies aren't among them.
    ///
    /// - Parameters:
    ///   - mail: The mail.
    ///   - me: The person's own addresses. None of them is a recipient, unless the person wrote to themselves.
    package static func replyAll(to mail: QuotedMail, me: [EmailAddress]) -> ReplyRecipients {
        let own = OwnAddresses(me)
        var recipients = reply(to: mail, me: me)
        let copies = own.wrote(mail) ? mail.cc : mail.to + mail.cc
        recipients.cc = unique(copies, without: own, and: Set(recipients.to.map(\.key)))
        if recipients.to.isEmpty { (recipients.to, recipients.cc) = (recipients.cc, []) }
        return recipients
    }

    /// Returns the recipients with a copy to others, such as those of earlier mails of the thread.
    ///
    /// No address is named twice. A mail that would go to the person alone goes to the others.
    ///
    /// - Parameters:
    ///   - others: The other recipients.
    ///   - me: The person's own addresses. None of them is added.
    package func adding(_ others: [EmailAddress], me: [EmailAddress]) -> ReplyRecipients {
        let own = OwnAddresses(me)
        var recipients = self
        recipients.cc += Self.unique(others, without: own, and: Set((to + cc).map(\.key)))
        if !recipients.cc.isEmpty, recipients.to.allSatisfy({ own.contains($0) }) {
            (recipients.to, recipients.cc) = (recipients.cc, [])
        }
        return recipients
    }

    /// Returns the identity that a mail was written to, so that the reply comes from it; the first one if there is no
    /// other hint, and nil if there are none.
    ///
    /// - Parameters:
    ///   - mail: The mail. Its recipients count in the order To, Cc, Delivered-To, Bcc; of a mail of the person's own
    ///     its author counts first.
    ///   - identities: The addresses of the identities. One such as `*@example.com` is for all addresses of the domain
    ///     (RFC 8621, section 6).
    package static func identityIndex(for mail: QuotedMail, among identities: [EmailAddress]) -> Int? {
        guard !identities.isEmpty else { return nil }
        let places = Dictionary(identities.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let recipients = recipients(of: mail).map(\.key)
        let forms: [(String) -> String?] = [{ $0 }, OwnAddresses.withoutTag, OwnAddresses.wildcard]
        for form in forms {
            for recipient in recipients {
                if let place = form(recipient).flatMap({ places[$0] }) { return place }
            }
        }
        return 0
    }

    /// Returns the address that a mail was written to, for an identity that is for all addresses of a domain; nil for
    /// another identity, or a mail that was written to none of these.
    package static func address(in mail: QuotedMail, of identity: EmailAddress) -> EmailAddress? {
        guard identity.email.hasPrefix("*@") else { return nil }
        let key = identity.key
        return recipients(of: mail).first { OwnAddresses.wildcard($0.key) == key }
    }

    /// The addresses that may be those to which a mail was written, the likeliest first.
    private static func recipients(of mail: QuotedMail) -> [EmailAddress] {
        mail.from + mail.to + mail.cc + mail.deliveredTo + mail.bcc
    }

    private static func authors(of mail: QuotedMail, without me: OwnAddresses) -> [EmailAddress] {
        for addresses in [mail.replyTo, mail.from, mail.sender] {
            let others = unique(addresses, without: me)
            if !others.isEmpty { return others }
        }
        return []
    }

    /// Returns addresses each once, in order. Invalid addresses are left out.
    private static func unique(
        _ addresses: [EmailAddress],
        without me: OwnAddresses?,
        and others: Set<String> = []
    ) -> [EmailAddress] {
        var seen = others
        return addresses.filter { address in
            guard address.email.utf8.contains(UInt8(ascii: "@")) else { return false }
            let key = address.key
            return !(me?.contains(key: key) ?? false) && seen.insert(key).inserted
        }
    }
}

/// The addresses of a person, in all their forms.
package struct OwnAddresses: Sendable {
    private let keys: Set<String>

    /// Creates the set of a person's addresses.
    package init(_ addresses: [EmailAddress]) {
        keys = Set(addresses.map(\.key))
    }

    /// Whether an address is the person's: in capitals or not, with a tag (`anna+news@example.com`) or without.
    package func contains(_ address: EmailAddress) -> Bool { contains(key: address.key) }

    func contains(key: String) -> Bool {
        keys.contains(key) || Self.withoutTag(key).map(keys.contains) ?? false
            || Self.wildcard(key).map(keys.contains) ?? false
    }

    /// Whether the person is the author of a mail.
    func wrote(_ mail: QuotedMail) -> Bool { !mail.from.isEmpty && mail.from.allSatisfy(contains) }

    /// Returns the address without a tag, or nil if it has none.
    static func withoutTag(_ key: String) -> String? {
        guard let at = key.lastIndex(of: "@"), let plus = key[..<at].firstIndex(of: "+"), plus > key.startIndex else {
            return nil
        }
        return String(key[..<plus] + key[at...])
    }

    /// Returns the identity for all addresses of the domain.
    static func wildcard(_ key: String) -> String? { key.lastIndex(of: "@").map { "*" + key[$0...] } }
}
