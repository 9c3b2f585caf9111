import Foundation
package import GRDB
import Groundwork
package import InboxModel
import Replica

extension StoreWriter {
    /// Stores the person's consent in a category.
    func set(_ consent: TrackingConsent, for category: String) throws {
        try set(setting: Database.consentSetting(category), to: consent.rawValue)
    }

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
    fileprivate static func consentSetting(_ category: String) -> String { "consent/\(category.normalized)" }

    /// Returns the consent in a category.
    ///
    /// - Parameter fallback: The consent of categories for which the person has set none. If settings may have been
    ///   lost, the result is `notDetermined` instead, so that consent is requested again.
    func consent(
        for category: String,
        otherwise fallback: TrackingConsent
    ) throws -> TrackingConsent {
        if let set = try setting(Self.consentSetting(category)).flatMap(TrackingConsent.init(rawValue:)) { return set }
        return try mayHaveLostSettings() ? .notDetermined : fallback
    }

    /// Returns whether events of a message may be tracked.
    ///
    /// - Parameter fallback: The consent of categories for which the person has set none.
    func allowsTracking(_ message: Message, otherwise fallback: TrackingConsent) throws -> Bool {
        if let category = message.consentCategory {
            return try consent(for: category, otherwise: fallback).allowsTracking
        }
        // The sender states that the person has agreed. A choice on this device takes precedence.
        guard let granted = message.grantedConsentCategory else { return true }
        return try consent(for: granted, otherwise: .given).allowsTracking
    }

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
