extension Message {
    /// The key of ``additionalData`` that names the category in which the person had agreed when the message was sent.
    /// Such a message needs no consent on the device (Bloomreach's `consent_category_tracking` if
    /// `has_tracking_consent` is true).
    public static let grantedConsentKey = "consent_category_tracking"

    /// The category in which the person had agreed when the message was sent, or nil if none is named.
    public var grantedConsentCategory: String? { additionalData[Self.grantedConsentKey] }
}
