extension Message {
    /// The name in ``additionalData`` of the activity to which a message belongs: to read one message of an activity is
    /// to read all (Adobe's `scopeDetails.activity.id`).
    public static let activityKey = "activityId"

    /// The activity to which it belongs; nil for none.
    public var activity: String? {
        additionalData[Self.activityKey].flatMap { $0.isEmpty ? nil : $0 }
    }
}
