public import Groundwork
public import Logging
package import Replica

/// What may be set about an inbox. The defaults suit an app.
public struct InboxConfiguration: Sendable {
    /// How many messages a device keeps or asks for.
    public enum Limit: Hashable, Sendable {
        case all
        case newest(Int)

        var window: WindowLimits.Limit { if case .newest(let number) = self { .newest(max(1, number)) } else { .all } }
    }

    /// How many active messages the device keeps. The oldest go first, here only; pinned ones and those with unsent
    /// changes stay.
    ///
    /// Nil, the default, for what the surfaces' settings say (`InboxSettings.deviceLimit`), the most of them; 200 where
    /// there are none.
    public var deviceLimit: Limit?
    /// How many messages a new device asks for. Nil, the default, for what the surfaces' settings say; 50 where there
    /// are none.
    public var newDeviceLimit: Limit?
    /// Whether the inbox keeps a connection to the server and syncs by itself. Without, it syncs when ``Inbox/sync()``
    /// is called.
    public var isLive = true
    /// The interval, in seconds, at which a server without push is polled during activity. 30 by default.
    ///
    /// Without reads, actions and new messages, the interval grows: it is a quarter of the time since then, up to
    /// ``longestPollInterval``, and up to four times this value while a list is observed. The next use by the app or
    /// the person polls at once.
    public var pollInterval = 30.0
    /// How often at least to ask such a server, in seconds; 15 minutes by default.
    public var longestPollInterval = 900.0
    /// How the person stands to being tracked in categories of messages for which ``Inbox/setConsent(_:for:)`` was
    /// never called: ``TrackingConsent/considered`` by default, which tracks nothing until they agree, and keeps from
    /// the backend what they did; ``TrackingConsent/off`` in an app that doesn't ask for consent. Messages without a
    /// category need none.
    public var trackingConsent = TrackingConsent.considered
    /// Whether `Inbox.receive(push:keepFor:)` accepts a push that doesn't name its recipient. Off by default: a push
    /// that arrives after another person has signed in on the device would be put into the wrong inbox.
    public var acceptsPushesWithoutPerson = false
    /// What time it is.
    public var clock: any WallClock = SystemClock()
    /// Where chance comes from.
    public var random = RandomSource.system
    /// What carries requests; nil for the system's URL loading.
    public var transport: (any Transport)?
    /// The logger (swift-log) of sync rounds, retries, refused changes and repairs. By default nothing is logged.
    ///
    /// An entry contains names of types and properties, kinds of failures, counts and durations. It never contains a
    /// person's text, an id, a token or an address. The inboxes of one person in a process share one connection, which
    /// logs to the logger of the first.
    public var logger = SyncLog.disabled
    /// For tests: whether inboxes of one person in this process share one connection. Without, each is as in a process
    /// of its own.
    package var sharesEngine = true
    /// How long a sync waits for another process that keeps this inbox up to date, in seconds.
    package var otherProcessDeadline = SyncSettings().otherProcessDeadline
    /// For tests: called at each moment of a write on this device.
    package var writeHook: WriteHook?

    /// The defaults.
    public init() {}

    var syncSettings: SyncSettings {
        var settings = SyncSettings()
        settings.deviceLimit = deviceLimit?.window
        settings.newDeviceLimit = newDeviceLimit?.window
        settings.pollInterval = pollInterval
        settings.otherProcessDeadline = otherProcessDeadline
        settings.longestPollInterval = longestPollInterval
        return settings
    }
}
