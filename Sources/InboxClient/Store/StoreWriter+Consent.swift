import Foundation
package import GRDB
import Groundwork
package import InboxModel
import Replica

extension StoreWriter {
    /// Records, with the latest changes of messages that require consent, whether the person consents to reporting
    /// them.
    ///
    /// - Parameter fallback: The consent of categories for which the person has set none.
    func noteConsent(to ids: [String], otherwise fallback: TrackingConsent) throws {
        guard !ids.isEmpty else { return }
        // A bulk write records the consent itself, so its messages need no records of their own.
        let ids = try db.unsealedIDs(.message, among: ids)
        guard !ids.isEmpty else { return }
        try noteConsentForOutlined(ids, otherwise: fallback)
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT message.\(RecordTable.id), message.\(RecordTable.json) FROM json_each(?) AS asked
                        CROSS JOIN message ON message.\(RecordTable.id) = asked.value
                    WHERE \(Self.mayContainConsent)
                    """
            ),
            arguments: [JSON(ids).description]
        )
        guard !rows.isEmpty else { return }
        let consent = try db.consentState(otherwise: fallback)
        for row in rows {
            let json: Data = row[1]
            let details = MessageDetails.Source.text(Array(json)).value
            let (category, granted) = (details.consentCategory, details.additionalData[Message.grantedConsentKey])
            guard category != nil || granted != nil else { continue }
            let isGranted = consent.allows(consentCategory: category, grantedConsentCategory: granted)
            try annotate(.message, MessageCapability.consent, isGranted, of: row[0])
        }
    }

    /// Records the consent for messages that aren't on this device. Their categories are unknown, so consent is given
    /// only if it is given for all categories.
    private func noteConsentForOutlined(_ ids: [String], otherwise fallback: TrackingConsent) throws {
        let outlined = try db.idsWithOutline(.message, among: ids)
        guard !outlined.isEmpty else { return }
        let isGranted = try db.consentState(otherwise: fallback).isUnlimited
        for id in outlined { try annotate(.message, MessageCapability.consent, isGranted, of: id) }
    }

    /// Whether the JSON of a message may contain a consent category: it contains a part of the member names, or an
    /// escape sequence that may stand for them. Most messages don't have to be parsed.
    private static let mayContainConsent =
        // onsent, \u
        """
        (instr(message.\(RecordTable.json), x'6F6E73656E74') OR instr(message.\(RecordTable.json), x'5C75'))
        """
}

extension Database {
    /// Returns the person's consent in all categories, as it is sent to a server.
    ///
    /// - Parameter fallback: The consent of categories for which the person has set none.
    package func consentState(otherwise fallback: TrackingConsent) throws -> ConsentState {
        let mayHaveLostSettings = try mayHaveLostSettings()
        let prefix = Self.consentSetting("")
        var consent = ConsentState(
            otherwise: !mayHaveLostSettings && fallback.allowsTracking,
            granted: !mayHaveLostSettings
        )
        for (name, value) in try settings(beginningWith: prefix) {
            guard let value = TrackingConsent(rawValue: value) else { continue }
            consent.categories[String(name.dropFirst(prefix.count))] = value.allowsTracking
        }
        return consent
    }
}
