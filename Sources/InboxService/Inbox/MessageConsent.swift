import InboxModel

/// The consent that a message requires, and which of a person's dates were set without it.
struct MessageConsent: Sendable {
    let consentCategory: String?
    let grantedConsentCategory: String?
    /// The category that an edit removed or replaced.
    let earlierConsentCategory: String?
    let withheld: WithheldDates

    /// Returns whether actions on the message are reported to the backend.
    ///
    /// A client's statement may be older than an edit, so it also has to cover the category that the message required
    /// before the edit. A statement for this message alone doesn't name the category it refers to. If the edit replaced
    /// one category by another, such a yes isn't sufficient.
    func isGiven(by statement: StatedConsent) -> Bool {
        guard statement.state.allows(consentCategory: consentCategory, grantedConsentCategory: grantedConsentCategory)
        else {
            return false
        }
        guard let earlierConsentCategory, statement.isStated else { return true }
        if case .forMessage = statement, let now = consentCategory ?? grantedConsentCategory,
            now != earlierConsentCategory
        {
            return false
        }
        return statement.state.allows(consentCategory: earlierConsentCategory, grantedConsentCategory: nil)
    }
}

/// A client's statement of consent, sent with a person's action.
enum StatedConsent: Sendable {
    /// For one message, as the client knows it; nil if the client states nothing.
    case forMessage(Bool?)
    /// For all categories; nil if the client states nothing.
    case forAllCategories(ConsentState?)

    fileprivate var isStated: Bool {
        switch self {
        case .forMessage(let isGiven): isGiven != nil
        case .forAllCategories(let state): state != nil
        }
    }

    fileprivate var state: ConsentState {
        switch self {
        case .forMessage(let isGiven): ConsentState(holds: isGiven)
        case .forAllCategories(let state): state ?? ConsentState(holds: nil)
        }
    }
}

extension PersonInbox {
    /// Returns the consent that a message requires.
    ///
    /// - Parameter id: The id of an existing message.
    /// - Throws: ``RecordNotFoundError`` if the message doesn't exist.
    func consent(of id: MessageID) throws -> MessageConsent {
        let row = try db.row(
            """
            SELECT m.consentCategory, m.grantedConsentCategory, m.earlierConsentCategory, d.withheld
            FROM message m LEFT JOIN delivery d ON d.message = m.id AND d.person = ?1 WHERE m.id = ?2
            """,
            [person.id, id.rawValue]
        )
        guard let row else { throw RecordNotFoundError() }
        let (category, granted, earlier, withheld): (String?, String?, String?, Int?) = (row[0], row[1], row[2], row[3])
        return MessageConsent(
            consentCategory: category,
            grantedConsentCategory: granted,
            earlierConsentCategory: earlier,
            withheld: WithheldDates(rawValue: withheld ?? 0)
        )
    }
}
