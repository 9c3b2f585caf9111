public import Foundation

/// A text on a card.
public struct TextElement: Hashable, Sendable {
    /// The text. It may be empty.
    public var content: String
    /// The font.
    public var font: CardFont
    /// The color.
    public var color: CardColor
    /// The alignment of the lines.
    public var alignment: CardAlignment
    /// The maximum number of lines, or nil for all.
    public var lineLimit: Int?
    /// The role for assistive technologies.
    public var role: Role

    /// Creates a text, by default body text in the secondary color.
    public init(
        _ content: String,
        font: CardFont = .body,
        color: CardColor = .secondary,
        alignment: CardAlignment = .leading,
        lineLimit: Int? = nil,
        role: Role = .text
    ) {
        self.content = content
        self.font = font
        self.color = color
        self.alignment = alignment
        self.lineLimit = lineLimit
        self.role = role
    }

    /// The role of a text for assistive technologies.
    public enum Role: Hashable, Sendable {
        /// A heading of the given level. The inbox's heading has level 1.
        case heading(level: Int)
        /// An ordinary text.
        case text
        /// A caption, such as a category or a time.
        case caption
    }
}

/// The time of a message's delivery, as formatted text.
public struct TimeElement: Hashable, Sendable {
    /// The time.
    public var time: Date
    /// The formatted time, such as "2 hours ago".
    public var text: TextElement

    /// Creates a time with its text.
    public init(_ time: Date, text: TextElement) {
        self.time = time
        self.text = text
    }
}
