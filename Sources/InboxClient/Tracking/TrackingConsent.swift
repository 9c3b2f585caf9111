/// How a person stands to being tracked, in one category of messages (`Message.consentCategory`).
///
/// A message that names no category needs no consent. Without it, what the person does reaches their own devices and
/// their own export alone.
public enum TrackingConsent: String, Hashable, Sendable, CaseIterable {
    /// Consent isn't asked for: everything is tracked.
    case off
    /// Consent is needed, and the person hasn't said anything yet: nothing is tracked.
    case considered
    /// The person agreed: everything is tracked.
    case given
    /// The person took it back: nothing is tracked.
    case withdrawn

    /// Whether what the person does may be tracked.
    public var allowsTracking: Bool { self == .off || self == .given }
}
