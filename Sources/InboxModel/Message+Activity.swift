extension Message {
    /// The key of ``additionalData`` that names the activity of a message. When one message of an activity is read, all
    /// of them are (Adobe's `scopeDetails.activity.id`).
    public static let activityKey = "activityId"

    /// The activity to which the message belongs, or nil if there is none.
    public var activity: String? {
        additionalData[Self.activityKey].flatMap { $0.isEmpty ? nil : $0 }
    }
}
