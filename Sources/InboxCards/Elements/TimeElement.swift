public import Foundation

/// When a message came, in the reader's words.
public struct TimeElement: Hashable, Sendable {
    /// The time itself.
    public var time: Date
    /// In words, such as "2 hours ago".
    public var text: TextElement

    /// A time in words.
    public init(_ time: Date, text: TextElement) {
        self.time = time
        self.text = text
    }
}
