import Groundwork
public import InboxModel
import Replica

extension Inbox {
    /// Returns the person's consent to tracking in a category of messages.
    ///
    /// - Returns: The value that was last set by any process on this device, or ``InboxConfiguration/trackingConsent``
    ///   if none was set.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func consent(for category: String) async throws -> TrackingConsent {
        let fallback = trackingConsent
        return try await read { db in try db.consent(for: category, otherwise: fallback) }
    }

    /// Returns the messages that may be tracked, according to the current consent in their categories.
    ///
    /// - Returns: The ids of the messages.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func trackable(_ messages: [Message]) async throws -> Set<String> {
        let fallback = trackingConsent
        return try await read { db in
            Set(try messages.filter { try db.allowsTracking($0, otherwise: fallback) }.map(\.id))
        }
    }

    /// Sets the person's consent to tracking in a category of messages. It is stored until the person signs out, on
    /// this device only.
    ///
    /// Events that are already tracked are kept and sent: they were allowed when they happened.
    ///
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    public func setConsent(_ consent: TrackingConsent, for category: String) async throws {
        try await write { writer in try writer.set(consent, for: category) }
    }
}

/// A person's consent to tracking in one category of messages (`Message.consentCategory`).
///
/// A message that names no category needs no consent. Without consent, the person's actions reach only their own
/// devices and their own export.
public enum TrackingConsent: String, Hashable, Sendable, CaseIterable {
    /// Consent isn't required: everything is tracked.
    case off
    /// Consent is required and the person hasn't chosen yet: nothing is tracked.
    ///
    /// The raw value is stored, so it keeps its first name.
    case notDetermined = "considered"
    /// The person agreed: everything is tracked.
    case given
    /// The person withdrew their consent: nothing is tracked.
    case withdrawn

    /// Whether events may be tracked.
    public var allowsTracking: Bool { self == .off || self == .given }
}
