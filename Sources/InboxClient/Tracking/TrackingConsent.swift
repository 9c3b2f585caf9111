/// A person's consent to tracking in one category of messages (`Message.consentCategory`).
///
/// A message that names no category needs no consent. Without consent, the person's actions reach only their own
/// devices and their own export.
public enum TrackingConsent: String, Hashable, Sendable, CaseIterable {
    /// Consent isn't required: everything is tracked.
    case off
    /// Consent is required and the person hasn't chosen yet: nothing is tracked.
    case considered
    /// The person agreed: everything is tracked.
    case given
    /// The person withdrew their consent: nothing is tracked.
    case withdrawn

    /// Whether events may be tracked.
    public var allowsTracking: Bool { self == .off || self == .given }
}
