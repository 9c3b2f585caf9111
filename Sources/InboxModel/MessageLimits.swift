/// The limits of what a sender may put into a message, in bytes of UTF-8 where nothing else is said.
///
/// The server enforces them; they stand here so that a client can tell before it sends.
public enum MessageLimits {
    /// Of the headline.
    public static let title = 1_000
    /// Of the text.
    public static let body = 65_536
    /// Of the HTML.
    public static let html = 524_288
    /// Of each address: of media, and of an action's link.
    public static let url = 4_096
    /// Of what a picture or video shows, in words.
    public static let alternativeText = 1_000
    /// Of surface, category, group key, template, consent category, campaign and an action's id, type and action type.
    public static let name = 256
    /// How many actions a message may have.
    public static let actions = 10
    /// Of an action's label.
    public static let actionText = 200
    /// Of what a click on an action reports.
    public static let actionValue = 4_096
    /// The values that a priority may have.
    public static let priority = -1_000...1_000
    /// How many additional pairs a message may have.
    public static let additionalDataPairs = 100
    /// Of the name of an additional pair.
    public static let additionalDataKey = 256
    /// Of the value of an additional pair.
    public static let additionalDataValue = 8_192
    /// Of a person's id.
    public static let person = 256
}
