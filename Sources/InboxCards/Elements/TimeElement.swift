public import Foundation

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
