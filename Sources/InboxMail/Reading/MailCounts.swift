import Replica

/// How many threads there are on this device.
public struct MailCounts: Hashable, Sendable {
    /// All of them.
    public var total = 0
    /// Those with an unread mail.
    public var unread = 0
    /// Those with a starred mail.
    public var starred = 0
    /// Those in the inbox.
    public var inInbox = 0
    /// Those in the inbox with an unread mail: what a badge shows.
    public var unreadInInbox = 0

    /// Those in the inbox with a mail that is new to the person (``MailThread/unseenCount``).
    public var unseenInInbox = 0

    /// No threads.
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
