import Foundation
package import GRDB
import Groundwork
package import InboxModel
import Replica

extension StoreWriter {
    /// Notes beside what the person just did with messages whether consent to its being told holds, for those messages
    /// that ask for it.
    ///
    /// - Parameter fallback: How the person stands to categories of which they said nothing.
    func noteConsent(to ids: [String], otherwise fallback: TrackingConsent) throws {
        guard !ids.isEmpty else { return }
        // A write to all says by itself how the person stands, and leaves nothing to note beside each message.
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT asked.value FROM json_each(?) AS asked
                    WHERE EXISTS (SELECT 1 FROM pending WHERE type = ? AND id = asked.value AND sealed = 0)
                    """
            ),
            arguments: [JSON(ids).description, RecordType.message.name]
        )
        guard !ids.isEmpty else { return }
        try noteConsentToUnheld(ids, otherwise: fallback)
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT m.id, m.json FROM json_each(?) AS asked CROSS JOIN message AS m ON m.id = asked.value
                    WHERE \(Self.mayNameConsent)
                    """
            ),
            arguments: [JSON(ids).description]
        )
        guard !rows.isEmpty else { return }
        let stand = try db.consentStand(otherwise: fallback)
        for row in rows {
            let json: Data = row[1]
            let details = MessageDetails.Source.text(Array(json)).value
            let (category, granted) = (details.consentCategory, details.additionalData[Message.grantedConsentKey])
            guard category != nil || granted != nil else { continue }
            let holds = stand.allows(consentCategory: category, grantedConsentCategory: granted)
            try annotate(.message, MessageCapability.consent, holds, of: row[0])
        }
    }

    /// The same of messages that this device doesn't hold, so that it doesn't know what they ask for: consent holds
    /// where it does in all categories.
    private func noteConsentToUnheld(_ ids: [String], otherwise fallback: TrackingConsent) throws {
        let unheld = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT asked.value FROM json_each(?) AS asked CROSS JOIN messageOutline AS m ON m.id = asked.value
                    """
            ),
            arguments: [JSON(ids).description]
        )
        guard !unheld.isEmpty else { return }
        let holds = try db.consentStand(otherwise: fallback).isUnlimited
        for id in unheld { try annotate(.message, MessageCapability.consent, holds, of: id) }
    }

    /// Whether the JSON of a message can name a category of consent: it has part of the names, or something that may
    /// stand for them. Most messages need no closer look.
    private static let mayNameConsent = "(instr(m.json, x'6F6E73656E74') OR instr(m.json, x'5C75'))"  // onsent, \u
}

extension Database {
    /// How the person stands to being tracked, in all categories, as it is said to a server.
    ///
    /// - Parameter fallback: How they stand to categories of which they said nothing.
    package func consentStand(otherwise fallback: TrackingConsent) throws -> ConsentStand {
        let mayLackSettings = try mayLackSettings()
        let prefix = Self.consentSetting("")
        var stand = ConsentStand(
            otherwise: !mayLackSettings && fallback.allowsTracking,
            granted: !mayLackSettings
        )
        for (name, value) in try settings(beginningWith: prefix) {
            guard let consent = TrackingConsent(rawValue: value) else { continue }
            stand.categories[String(name.dropFirst(prefix.count))] = consent.allowsTracking
        }
        return stand
    }
}
