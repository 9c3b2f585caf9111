import GRDB
import InboxModel

/// The consent that a message asks for, and what of a person's dates was set without it.
struct MessageConsent: Sendable {
    let consentCategory: String?
    let grantedConsentCategory: String?
    let withheld: WithheldDates

    /// Whether the backend hears of what is done with the message.
    func isGiven(by stand: ConsentStand) -> Bool {
        stand.allows(consentCategory: consentCategory, grantedConsentCategory: grantedConsentCategory)
    }
}

extension Inbox {
    /// The consent that a message asks for.
    ///
    /// - Parameter id: A message that there is.
    func consent(of id: MessageID) throws -> MessageConsent {
        let row = try db.row(
            """
            SELECT m.consentCategory, m.grantedConsentCategory, d.withheld
            FROM message m LEFT JOIN delivery d ON d.message = m.id AND d.person = ?1 WHERE m.id = ?2
            """,
            [person.id, id.rawValue]
        )
        guard let row else { throw RecordNotFound() }
        let (category, granted, withheld): (String?, String?, Int?) = (row[0], row[1], row[2])
        return MessageConsent(
            consentCategory: category,
            grantedConsentCategory: granted,
            withheld: WithheldDates(rawValue: withheld ?? 0)
        )
    }
}
