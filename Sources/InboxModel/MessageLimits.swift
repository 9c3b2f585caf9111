/// The limits of what a sender may put into a message, in bytes of UTF-8 where nothing else is said.
///
/// The server enforces them; they stand here so that a client can tell before it sends.
public enum MessageLimits {
    public static let title = 1_000
    public static let body = 65_536
    public static let html = 524_288
    public static let url = 4_096
    public static let alternativeText = 1_000
    /// Of surface, category, group key, template, consent category, campaign and an action's id and type.
    public static let name = 256
    public static let actions = 10
    public static let actionText = 200
    public static let actionValue = 4_096
    public static let priority = -1_000...1_000
    public static let additionalDataPairs = 100
    public static let additionalDataKey = 256
    public static let additionalDataValue = 8_192
    /// A person's id.
    public static let person = 256
}
