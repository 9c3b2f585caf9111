/// The fields of a message's JSON object: the one list of their names.
package enum MessageField: String, CaseIterable, Sendable {
    case id
    case surface, title, body, html, media, actions, templateId, category, groupKey, priority, pinned
    case deliverAt, expiresAt, consentCategory, additionalData, campaignId, link, dismissButton
    case seenAt, readAt, archivedAt, snoozedUntil, deletedAt

    /// The fields that belong to the person: dates or null, the only ones that a client may change.
    package static let personal: [MessageField] = [.seenAt, .readAt, .archivedAt, .snoozedUntil, .deletedAt]

    /// The fields that a sender may set.
    package static let sendable: [MessageField] = allCases.filter { $0 != .id && !personal.contains($0) }

    /// Whether its texts are kept in Unicode's normal form C, so that two spellings of one text are found alike.
    /// Identifiers, links and HTML stay as they were sent.
    package var isNormalized: Bool {
        switch self {
        case .surface, .title, .body, .category, .groupKey, .additionalData: true
        default: false
        }
    }

    /// The names of ``sendable``.
    static let sendableNames = Set(sendable.map(\.rawValue))
}
