/// A change that the server refused and that was reverted on this device, or a record that the server didn't accept,
/// such as an event.
public struct RefusedAction: Hashable, Sendable {
    /// The id of the changed record, or of the record that the event is about.
    public let recordID: String
    /// The changed property, such as `readAt` or `keywords/$seen`; or the type of the event, such as `clicked`.
    public let property: String
    /// The server's reason, a JMAP set error (RFC 8620, section 5.3) such as `notFound`.
    public let reason: String
    /// The server's explanation, if it gave one.
    public let explanation: String?

    package init(recordID: String, property: String, reason: String, explanation: String?) {
        (self.recordID, self.property) = (recordID, property)
        (self.reason, self.explanation) = (reason, explanation)
    }

    /// Creates the refusal of a pending write.
    package init(_ refusal: RefusedWrite) {
        self.init(
            recordID: refusal.entry.id,
            property: refusal.entry.path,
            reason: refusal.error,
            explanation: refusal.detail
        )
    }
}

/// A write that the server refused. The person's value is discarded, and the server's is shown.
package struct RefusedWrite: Hashable, Sendable {
    package let type: String
    /// The pending write. For a queued record, it has the unique id, an empty path, and the whole record as the value.
    package let entry: PendingEntry
    /// The server's error type (RFC 8620, section 5.3).
    package let error: String
    package let detail: String?
}
