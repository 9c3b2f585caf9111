/// The names of the fields of a message's JSON object, in their only list.
package enum MessageField: String, CaseIterable, Sendable {
    case id
    case surface, title, body, html, media, actions, templateId, category, groupKey, priority, pinned
    case deliverAt, expiresAt, consentCategory, additionalData, campaignId, link, dismissButton
    case seenAt, readAt, archivedAt, snoozedUntil, deletedAt

    /// The fields of the person's state: dates or null. A client may change only these.
    package static let personal: [MessageField] = [.seenAt, .readAt, .archivedAt, .snoozedUntil, .deletedAt]

    /// The fields that a sender may set.
    package static let sendable: [MessageField] = allCases.filter { $0 != .id && !personal.contains($0) }

    /// Whether the field's texts are stored in Unicode normalization form C, so that search finds all spellings.
    /// Identifiers, links and HTML stay as they were sent.
    package var isNormalized: Bool {
        switch self {
        case .surface, .title, .body, .category, .groupKey, .additionalData: true
        case .id, .html, .media, .actions, .templateId, .priority, .pinned, .deliverAt, .expiresAt, .consentCategory,
            .campaignId, .link, .dismissButton, .seenAt, .readAt, .archivedAt, .snoozedUntil, .deletedAt:
            false
        }
    }

    /// The names of ``sendable``.
    static let sendableNames = Set(sendable.map(\.rawValue))
}
