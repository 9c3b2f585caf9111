import Foundation
package import GRDB
import Groundwork
package import InboxModel
import Replica

extension StoreWriter {
    /// Notes beside what the person just did with messages whether consent to its being told holds, for those messages that ask for it.
    ///
    /// - Parameter fallback: How the person stands to categories of which they said nothing.
    func noteConsent(to ids: [String], otherwise fallback: TrackingConsent) throws {
        guard !ids.isEmpty else { return }
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

    /// Whether the JSON of a message can name a category of consent: it has part of the names, or something that may stand for them. Most
    /// messages need no closer look.
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
