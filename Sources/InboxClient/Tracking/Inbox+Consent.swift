import Groundwork
public import InboxModel
import Replica
import class GRDB.Database

extension Inbox {
    /// How the person stands to being tracked in a category of messages.
    ///
    /// - Returns: What was last set, by any process on this device; ``InboxConfiguration/trackingConsent`` where
    ///   nothing was.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func consent(for category: String) async throws -> TrackingConsent {
        let fallback = trackingConsent
        return try await read { db in try db.consent(for: category, otherwise: fallback) }
    }

    /// Which of these messages may be tracked, as the person stands to their categories now.
    ///
    /// - Returns: Their ids.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func trackable(_ messages: [Message]) async throws -> Set<String> {
        let fallback = trackingConsent
        return try await read { db in
            Set(try messages.filter { try db.allowsTracking($0, otherwise: fallback) }.map(\.id))
        }
    }

    /// Notes what the person said about being tracked in a category of messages. Kept until they sign out, and for this
    /// device alone.
    ///
    /// What was tracked before stays, and is sent: it was allowed when it happened.
    ///
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. Then nothing has changed.
    @concurrent
    public func setConsent(_ consent: TrackingConsent, for category: String) async throws {
        try await write { writer in try writer.set(setting: Database.consentSetting(category), to: consent.rawValue) }
    }
}

extension Database {
    static func consentSetting(_ category: String) -> String { "consent/\(category.normalized)" }

    /// - Parameter fallback: How the person stands to categories of which they said nothing. Where what they said may
    ///   have been lost, it is asked for again.
    fileprivate func consent(
        for category: String,
        otherwise fallback: TrackingConsent
    ) throws -> TrackingConsent {
        if let set = try setting(Self.consentSetting(category)).flatMap(TrackingConsent.init(rawValue:)) { return set }
        return try mayLackSettings() ? .considered : fallback
    }

    /// Whether what is done with a message may be tracked.
    ///
    /// - Parameter fallback: How the person stands to categories of which they said nothing.
    func allowsTracking(_ message: Message, otherwise fallback: TrackingConsent) throws -> Bool {
        if let category = message.consentCategory {
            return try consent(for: category, otherwise: fallback).allowsTracking
        }
        // The sender says that the person agreed: unless they said otherwise here.
        guard let granted = message.grantedConsentCategory else { return true }
        return try consent(for: granted, otherwise: .given).allowsTracking
    }
}
