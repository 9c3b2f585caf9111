extension Message {
    /// The key of ``additionalData`` under which a sender names the category in which the person had agreed when it was
    /// sent, so that no consent is needed on the device (Bloomreach's `consent_category_tracking` where
    /// `has_tracking_consent` is true).
    public static let grantedConsentKey = "consent_category_tracking"

    /// The category of consent that the person had given to the sender; nil where none is named.
    public var grantedConsentCategory: String? { additionalData[Self.grantedConsentKey] }
}
