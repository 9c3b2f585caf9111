/// The settings of a sync engine.
package struct SyncSettings: Hashable, Sendable {
    /// The number of active records that a device keeps; nil for the type's own limit, or all if it has none.
    package var deviceLimit: WindowLimits.Limit?
    /// The number of records that a new device fetches first; nil for the type's own limit, or all if it has none.
    package var newDeviceLimit: WindowLimits.Limit?
    /// The interval of polling during activity, in seconds, for a server without an event source.
    package var pollInterval = 30.0
    /// The longest interval of polling, after a long time without activity, in seconds.
    package var maxPollInterval = 900.0
    /// The time of polling after which the event source is tried again, in seconds.
    package var streamInterval = 3_600.0
    /// The interval at which the server is asked to ping an event stream, in seconds. A stream that is silent for twice
    /// the interval is closed.
    package var ping = 30
    /// The interval at which to check whether another process has written to the store, in seconds.
    package var externalCheckInterval = 0.5
    /// The time to wait for another process that syncs the store, in seconds.
    package var otherProcessDeadline = 15.0

    package init() {}
}
