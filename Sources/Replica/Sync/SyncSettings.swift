/// What may be set about syncing.
package struct SyncSettings: Hashable, Sendable {
    /// How many active records a device holds; nil for what the type says, all where it says nothing.
    package var deviceLimit: WindowLimits.Limit?
    /// How many a new device asks for first; nil in the same way.
    package var newDeviceLimit: WindowLimits.Limit?
    /// How often to ask where the server can't tell by itself, in seconds, while there is something going on.
    package var pollInterval = 30.0
    /// How often at least, in seconds, however long nothing has happened.
    package var longestPollInterval = 900.0
    /// After how many seconds of asking to see whether the server has an event source now.
    package var streamInterval = 3_600.0
    /// How often the server is to say that an event stream still lives, in seconds. After twice that without a sign it
    /// counts as dead.
    package var ping = 30
    /// How often to look whether another process has written into the store, in seconds.
    package var foreignInterval = 0.5
    /// How long to wait for another process that syncs the store, in seconds.
    package var otherProcessDeadline = 15.0

    package init() {}
}

/// A write that the server refused. The person's value is given up; the server's is shown.
package struct RefusedWrite: Hashable, Sendable {
    package let type: String
    /// Of a queued record: its name, an empty path, and all of it as the value.
    package let entry: PendingEntry
    /// The server's error type (RFC 8620 §5.3).
    package let error: String
    package let detail: String?
}
