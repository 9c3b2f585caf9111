public import Groundwork
public import Logging
package import Replica

/// The settings of an inbox. The defaults suit an app.
public struct InboxConfiguration: Sendable {
    /// A number of messages that a device keeps or fetches.
    public enum Limit: Hashable, Sendable {
        case all
        case newest(Int)

        var window: WindowLimits.Limit { if case .newest(let number) = self { .newest(max(1, number)) } else { .all } }
    }

    /// The number of active messages that the device keeps. The oldest are evicted first, from this device only. Pinned
    /// messages and messages with pending writes are kept.
    ///
    /// Nil, the default, for the largest limit of the surfaces' settings (`InboxSettings.deviceLimit`), or 200 if there
    /// are none.
    public var deviceLimit: Limit?
    /// The number of messages that a new device fetches. Nil, the default, for the limit of the surfaces' settings, or
    /// 50 if there are none.
    public var newDeviceLimit: Limit?
    /// Whether the inbox keeps a connection to the server and syncs automatically. If false, it syncs only when
    /// ``Inbox/sync()`` is called.
    public var isLive = true
    /// The interval, in seconds, at which a server without push is polled during activity. 30 by default.
    ///
    /// Without reads, actions and new messages, the interval grows: it is a quarter of the time since then, up to
    /// ``maxPollInterval``, and up to four times this value while a list is observed. The next use by the app or
    /// the person polls at once.
    public var pollInterval = SyncSettings().pollInterval
    /// The longest interval, in seconds, at which such a server is polled. 900 (15 minutes) by default.
    public var maxPollInterval = SyncSettings().maxPollInterval
    /// The consent for categories for which ``Inbox/setConsent(_:for:)`` was never called. By default
    /// ``TrackingConsent/notDetermined``: no events are tracked until the person agrees, and the backend doesn't
    /// receive the person's actions. An app that doesn't require consent sets ``TrackingConsent/off``. Messages without
    /// a category need no consent.
    public var trackingConsent = TrackingConsent.notDetermined
    /// Whether `Inbox.receive(push:keepFor:)` accepts a push that doesn't name its recipient. Off by default: a push
    /// that arrives after another person has signed in on the device would be put into the wrong inbox.
    public var acceptsPushesWithoutPerson = false
    /// The budget for the stored pictures of messages, in bytes. 100 MiB by default, 0 for none. The pictures of the
    /// message that was shown least recently are deleted first, and a card's picture by itself.
    public var pictureBudget = 100 << 20
    /// The number of newest messages whose pictures are fetched in advance, after each sync of a live inbox, for a wide
    /// and light view. 0, the default, for none: the servers of the pictures then receive requests when a message is
    /// shown, and not when it arrives.
    ///
    /// They are fetched as long as all pictures take less than half of ``pictureBudget``.
    public var recentPictures = 0
    /// The clock.
    public var clock: any WallClock = SystemClock()
    /// The source of random numbers.
    public var random = RandomSource.system
    /// The transport of requests, also of those for pictures of messages
    /// (``Inbox/html(of:medium:fetchesPictures:)``). Nil for the system's URL loading.
    public var transport: (any Transport)?
    /// The logger (swift-log) of sync rounds, retries, refused changes and repairs. By default nothing is logged.
    ///
    /// An entry contains names of types and properties, kinds of failures, counts and durations. It never contains a
    /// person's text, an id, a token or an address. The inboxes of one person in a process share one connection, which
    /// logs to the logger of the first.
    public var logger = SyncLog.disabled
    /// For tests: whether the inboxes of one person in this process share one connection. If false, each behaves as in
    /// a process of its own.
    package var sharesEngine = true
    /// The time for which a sync waits for another process that keeps this inbox up to date, in seconds.
    package var otherProcessDeadline = SyncSettings().otherProcessDeadline
    /// For tests: called at each stage of a write on this device.
    package var writeHook: WriteHook?

    /// Creates the default configuration.
    public init() {}

    var syncSettings: SyncSettings {
        var settings = SyncSettings()
        settings.deviceLimit = deviceLimit?.window
        settings.newDeviceLimit = newDeviceLimit?.window
        settings.pollInterval = pollInterval
        settings.otherProcessDeadline = otherProcessDeadline
        settings.maxPollInterval = maxPollInterval
        return settings
    }
}
