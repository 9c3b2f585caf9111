extension Message {
    /// The key of ``additionalData`` that names the activity of a message. When one message of an activity is read, all
    /// of them are.
    public static let activityKey = "activityId"

    /// The activity to which the message belongs, or nil if there is none.
    public var activity: String? {
        additionalData[Self.activityKey].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The key of ``additionalData`` that names the category in which the person had agreed when the message was sent.
    /// Such a message needs no consent on the device. The name is that of Bloomreach's messages.
    public static let grantedConsentKey = "consent_category_tracking"

    /// The category in which the person had agreed when the message was sent, or nil if none is named.
    public var grantedConsentCategory: String? { additionalData[Self.grantedConsentKey] }
}
