/// The limits of a sender's message, in bytes of UTF-8 unless noted otherwise.
///
/// The server enforces them. A client can use them to check a message before it sends it.
public enum MessageLimits {
    /// The maximum size of the headline.
    public static let title = 1_000
    /// The maximum size of the text.
    public static let body = 65_536
    /// The maximum size of the HTML.
    public static let html = 524_288
    /// The maximum size of each address, of media and of an action's link.
    public static let url = 4_096
    /// The maximum size of an alternative text.
    public static let alternativeText = 1_000
    /// The width and height of a picture, in pixels.
    public static let pixels = 1...100_000
    /// The maximum size of the surface, category, group key, template, consent category and campaign, and of an
    /// action's id, type and action type.
    public static let name = 256
    /// The maximum number of actions in a message.
    public static let actions = 10
    /// The maximum size of an action's label.
    public static let actionText = 200
    /// The maximum size of the value that a click on an action reports.
    public static let actionValue = 4_096
    /// The range of the priority.
    public static let priority = -1_000...1_000
    /// The maximum number of pairs in the additional data.
    public static let additionalDataPairs = 100
    /// The maximum size of a key in the additional data.
    public static let additionalDataKey = 256
    /// The maximum size of a value in the additional data.
    public static let additionalDataValue = 8_192
    /// The maximum size of a person's id.
    public static let person = 256
}
