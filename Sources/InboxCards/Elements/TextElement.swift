/// A text on a card.
public struct TextElement: Hashable, Sendable {
    /// What it says; may be empty.
    public var content: String
    /// How it is set.
    public var font: CardFont
    /// Its colour.
    public var color: CardColor
    /// Where its lines are within its width.
    public var alignment: CardAlignment
    /// How many lines are shown at most; nil for all.
    public var lineLimit: Int?
    /// What it is to those who listen.
    public var role: Role

    /// A text; body text in the secondary colour unless it is said.
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

    /// What a text is to those who listen.
    public enum Role: Hashable, Sendable {
        /// A heading of that level, 1 for that of the inbox.
        case heading(level: Int)
        /// A text like any other.
        case text
        /// Less than that: a category, a time.
        case caption
    }
}
