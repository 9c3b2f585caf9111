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
    ///   - me: The person's own addresses, also those such as `*@example.com` (``OwnAddresses``). None of them is a
    ///     recipient, unless the person wrote to themselves.
    package static func reply(to mail: QuotedMail, me: [EmailAddress]) -> ReplyRecipients {
        let me = OwnAddresses(me, in: mail)
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
        let own = OwnAddresses(me, in: mail)
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
    ///   - mail: The mail that is replied to.
    ///   - me: The person's own addresses. None of them is added.
    package func adding(_ others: [EmailAddress], to mail: QuotedMail, me: [EmailAddress]) -> ReplyRecipients {
        let own = OwnAddresses(me, in: mail)
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
    ///     (RFC 8621, section 6). It counts only if none is for the very address.
    ///   - me: Other addresses of the person.
    package static func identityIndex(
        for mail: QuotedMail,
        among identities: [EmailAddress],
        me: [EmailAddress] = []
    ) -> Int? {
        guard !identities.isEmpty else { return nil }
        let places = Dictionary(identities.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        func place(of addresses: [EmailAddress], _ form: (String) -> String?) -> Int? {
            for address in addresses {
                if let place = form(address.key).flatMap({ places[$0] }) { return place }
            }
            return nil
        }
        func exactPlace(of addresses: [EmailAddress]) -> Int? {
            place(of: addresses) { $0 } ?? place(of: addresses, OwnAddresses.withoutTag)
        }
        let recipients = mail.to + mail.cc + mail.deliveredTo + mail.bcc
        let own = OwnAddresses(identities + me, in: mail).ofDomain.map { [$0] } ?? []
        let author = mail.isSent ? exactPlace(of: mail.from) ?? place(of: own, OwnAddresses.wildcard) : nil
        return author ?? exactPlace(of: mail.from + recipients)
            ?? place(of: own + recipients, OwnAddresses.wildcard) ?? 0
    }

    /// Returns the person's address in a mail, for an identity that is for all addresses of a domain; nil for another
    /// identity, or if it isn't known which one it is.
    ///
    /// - Parameter me: Other addresses of the person.
    package static func address(
        in mail: QuotedMail,
        of identity: EmailAddress,
        me: [EmailAddress] = []
    ) -> EmailAddress? {
        guard identity.email.hasPrefix("*@"), let own = OwnAddresses([identity] + me, in: mail).ofDomain else {
            return nil
        }
        return OwnAddresses.wildcard(own.key) == identity.key ? own : nil
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

/// The addresses of a person, in all their forms, as far as they matter for a mail.
///
/// Those of an identity for a whole domain, such as `*@example.com`, are also the addresses of colleagues. Of these one
/// is the person's: a known one, or else the address to which the mail was delivered, or else the only one to which it
/// was written. Of a mail that the person has sent, it is the author's.
package struct OwnAddresses: Sendable {
    private var keys: Set<String>
    /// The person's address in the mail that belongs to an identity for a whole domain; nil if it isn't known.
    private(set) var ofDomain: EmailAddress?

    /// Creates the set of a person's addresses.
    package init(_ addresses: [EmailAddress], in mail: QuotedMail) {
        let domains = Set(addresses.filter { $0.email.hasPrefix("*@") }.map(\.key))
        // An identity may have no address.
        keys = Set(addresses.map(\.key)).subtracting(domains).subtracting([""])
        guard !domains.isEmpty else { return }
        ofDomain = address(in: mail, of: domains)
        guard let key = ofDomain?.key else { return }
        keys.insert(key)
        if let plain = Self.withoutTag(key) { keys.insert(plain) }
    }

    /// Returns the one of the domains' addresses in a mail that is the person's; nil if none is, or several may be.
    private func address(in mail: QuotedMail, of domains: Set<String>) -> EmailAddress? {
        func isOfDomain(_ address: EmailAddress) -> Bool { Self.wildcard(address.key).map(domains.contains) ?? false }
        if mail.isSent { return mail.from.first(where: isOfDomain) }
        // A mail that was received names no other person there.
        let receivers = mail.deliveredTo + mail.bcc
        let known = (mail.to + mail.cc + receivers).filter(contains)
        // Where the server writes no `Delivered-To`, the author may have written a colleague's.
        if let own = known.first(where: isOfDomain) ?? receivers.first(where: isOfDomain) { return own }
        guard known.isEmpty else { return nil }
        let authors = Set(mail.from.map(\.key))
        let others = (mail.to + mail.cc).filter { isOfDomain($0) && !authors.contains($0.key) }
        return Set(others.map { Self.withoutTag($0.key) ?? $0.key }).count == 1 ? others.first : nil
    }

    /// Whether an address is the person's: in capitals or not, with a tag (`anna+news@example.com`) or without.
    package func contains(_ address: EmailAddress) -> Bool { contains(key: address.key) }

    func contains(key: String) -> Bool { keys.contains(key) || Self.withoutTag(key).map(keys.contains) ?? false }

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
