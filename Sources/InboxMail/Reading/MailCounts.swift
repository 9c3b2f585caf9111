import Replica

/// The numbers of threads on this device.
public struct MailCounts: Hashable, Sendable {
    /// All threads.
    public var total = 0
    /// The threads with an unread mail.
    public var unread = 0
    /// The threads with a starred mail.
    public var starred = 0
    /// The threads in the inbox.
    public var inInbox = 0
    /// The threads in the inbox with an unread mail, for a badge.
    public var unreadInInbox = 0

    /// The threads in the inbox with an unseen mail (``MailThread/unseenCount``).
    public var unseenInInbox = 0

    /// Creates counts of zero.
    public init() {}

    init(_ counts: RecordCounts) {
        for bucket in counts.buckets {
            total += bucket.numbers[0]
            unread += bucket.numbers[1]
            starred += bucket.numbers[2]
            guard bucket.values[0] == "1" else { continue }
            inInbox += bucket.numbers[0]
            unreadInInbox += bucket.numbers[1]
            unseenInInbox += bucket.numbers[3]
        }
    }
}
