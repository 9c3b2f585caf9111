/// A one-line summary for logs and the debugger: the numbers, without the messages.
extension InboxSnapshot: CustomStringConvertible {
    /// For example `InboxSnapshot(50 messages, 12 unread of 121, 2 pending writes, never synced)`.
    public var description: String {
        var parts = [
            messages.count == 1 ? "1 message" : "\(messages.count) messages",
            "\(counts.unread) unread of \(counts.total)",
        ]
        if pendingWrites > 0 {
            parts.append(pendingWrites == 1 ? "1 pending write" : "\(pendingWrites) pending writes")
        }
        if !hasSynced { parts.append("never synced") }
        return "InboxSnapshot(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``, with the messages and their texts.
    public var descriptionWithTexts: String {
        "\(description): [\(messages.map(\.descriptionWithTexts).joined(separator: ", "))]"
    }
}
