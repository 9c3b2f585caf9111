import GRDB
import InboxModel

/// The consent that a message asks for, and what of a person's dates was set without it.
struct MessageConsent: Sendable {
    let consentCategory: String?
    let grantedConsentCategory: String?
    /// The one that an edit took away or replaced.
    let earlierConsentCategory: String?
    let withheld: WithheldDates

    /// Returns whether actions on the message are reported to the backend.
    ///
    /// A client's statement may be from before an edit: then it has to apply to what the message required by then, too.
    /// If it is yes or no for the message alone, it isn't known which of two categories it is about, and a yes isn't
    /// enough.
    func isGiven(by said: StatedConsent) -> Bool {
        guard said.stand.allows(consentCategory: consentCategory, grantedConsentCategory: grantedConsentCategory) else {
            return false
        }
        guard let earlierConsentCategory, said.isThere else { return true }
        if case .ofMessage = said, let now = consentCategory ?? grantedConsentCategory, now != earlierConsentCategory {
            return false
        }
        return said.stand.allows(consentCategory: earlierConsentCategory, grantedConsentCategory: nil)
    }
}

/// What a client says of consent beside what a person did.
enum StatedConsent: Sendable {
    /// Of that message, as the client knows it; nil where it says nothing.
    case ofMessage(Bool?)
    /// In all categories; nil where it says nothing.
    case inAll(ConsentState?)

    fileprivate var isThere: Bool {
        switch self {
        case .ofMessage(let holds): holds != nil
        case .inAll(let stand): stand != nil
        }
    }

    fileprivate var stand: ConsentState {
        switch self {
        case .ofMessage(let holds): ConsentState(holds: holds)
        case .inAll(let stand): stand ?? ConsentState(holds: nil)
        }
    }
}

extension PersonInbox {
    /// The consent that a message asks for.
    ///
    /// - Parameter id: A message that there is.
    func consent(of id: MessageID) throws -> MessageConsent {
        let row = try db.row(
            """
            SELECT m.consentCategory, m.grantedConsentCategory, m.earlierConsentCategory, d.withheld
            FROM message m LEFT JOIN delivery d ON d.message = m.id AND d.person = ?1 WHERE m.id = ?2
            """,
            [person.id, id.rawValue]
        )
        guard let row else { throw RecordNotFound() }
        let (category, granted, earlier, withheld): (String?, String?, String?, Int?) = (row[0], row[1], row[2], row[3])
        return MessageConsent(
            consentCategory: category,
            grantedConsentCategory: granted,
            earlierConsentCategory: earlier,
            withheld: WithheldDates(rawValue: withheld ?? 0)
        )
    }
}
