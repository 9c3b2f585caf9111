import MailComposing

/// The sender of a draft: the identity to send with, and the address that it has in the mail.
///
/// Both agree: the address has to be the identity's (RFC 8621, section 6). A draft never leaves from an address that
/// the person hasn't chosen, such as when the chosen identity was removed.
enum SenderChoice: Hashable, Sendable {
    case identity(MailIdentity, from: EmailAddress)
    /// The account can't send.
    case none
    /// The account's identities aren't on this device yet.
    case unknown
    /// There is no such sender, for the given reason.
    case refused(DraftRefusal)

    /// Chooses the sender of a draft.
    ///
    /// - Parameters:
    ///   - identities: The account's identities, as the server has them, in its order.
    ///   - fallback: The app's name and address for an identity that has none.
    ///   - areFetched: Whether all identities are on this device.
    init(_ draft: DraftText, _ identities: [MailIdentity], fallback: EmailAddress?, areFetched: Bool) {
        guard !identities.isEmpty else {
            self = areFetched ? .none : .unknown
            return
        }
        let named = identities.filter { $0.id == draft.identityID }
        if let from = draft.from?.address, !from.email.isEmpty {
            let exact = identities.filter { EmailAddress(email: $0.email).isSame(as: from) }
            guard let identity = (named + exact + identities).first(where: { $0.permits(from) }) else {
                let text = "The account has no identity with the address \(from.email). Choose another sender."
                self = areFetched ? .refused(DraftRefusal(.sender, text)) : .unknown
                return
            }
            self = .identity(identity, from: from)
            return
        }
        if draft.identityID != nil, named.isEmpty {
            let text = "The sender of the mail isn't one of the account's any more. Choose another one."
            self = areFetched ? .refused(DraftRefusal(.sender, text)) : .unknown
            return
        }
        for identity in draft.identityID == nil ? identities : named {
            guard let from = identity.address(or: fallback) else { continue }
            self = .identity(identity, from: from)
            return
        }
        let text =
            "The server doesn't say from which address the account sends. Give the mail an address as its sender."
        self = .refused(DraftRefusal(.sender, text))
    }

    /// The address in the mail; nil if there is none.
    var from: EmailAddress? { if case .identity(_, let from) = self { from } else { nil } }

    /// The addresses that the identity asks for replies at; empty for the sender's.
    var replyTo: [EmailAddress] { if case .identity(let identity, _) = self { identity.replyTo } else { [] } }

    /// The identity's id; nil if there is none.
    var identityID: String? { if case .identity(let identity, _) = self { identity.id } else { nil } }
}

extension MailIdentity {
    /// The domain for all of whose addresses the identity is; nil if it is for one.
    private var domain: String? { email.hasPrefix("*@") ? String(email.dropFirst(2)) : nil }

    /// Whether a mail with this sender may be sent with the identity. One without an address doesn't restrict it.
    fileprivate func permits(_ from: EmailAddress) -> Bool {
        if email.isEmpty { return true }
        let own = EmailAddress(email: email)
        return domain == nil ? own.isSame(as: from) : own.asciiDomain?.lowercased() == from.asciiDomain?.lowercased()
    }

    /// The address of a mail whose sender isn't chosen; nil if the identity has none.
    fileprivate func address(or fallback: EmailAddress?) -> EmailAddress? {
        if !email.isEmpty, domain == nil { return EmailAddress(name: name.nonEmpty, email: email) }
        guard let fallback, !fallback.email.isEmpty, permits(fallback) else { return nil }
        return EmailAddress(name: name.nonEmpty ?? fallback.name, email: fallback.email)
    }
}
