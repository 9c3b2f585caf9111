public import Groundwork
public import Logging
import Replica

/// What may be set about a person's mail. The defaults suit an app.
public struct MailConfiguration: Sendable {
    /// Whether the mail is kept up to date by itself. Without, it syncs when ``Mail/sync()`` is called.
    public var isLive = true
    /// For tests: whether another mail of the same account in this process shares the engine. Without, each is as if in
    /// a process of its own.
    package var sharesEngine = true
    /// The interval, in seconds, at which a server without push is polled during activity. 30 by default.
    ///
    /// Without reads, actions and new mail, the interval grows: it is a quarter of the time since then, up to
    /// ``longestPollInterval``, and up to four times this value while a list is observed. The next use by the app or
    /// the person polls at once.
    public var pollInterval = 30.0
    /// How often at least to ask such a server, in seconds; 15 minutes by default.
    public var longestPollInterval = 900.0
    /// How many bytes of bodies the device keeps; 64 MiB by default. Those that weren't looked at for longest go first.
    public var bodyBudget = 64 * 1_048_576
    /// The number of newest mails whose bodies are fetched in advance, without trash and junk. 200 by default, 0 for
    /// none.
    ///
    /// They are fetched after each sync of live mail, as long as the bodies take less than half of ``bodyBudget``.
    public var recentBodies = 200
    /// How many bytes of a body's text are asked for; 1 MiB by default. What is longer is cut, and says so.
    public var longestBody = 1_048_576
    /// How many bytes of attachments the device keeps; 256 MiB by default. Those that weren't used for longest go
    /// first.
    public var fileBudget = 256 * 1_048_576
    /// What time it is.
    public var clock: any WallClock = SystemClock()
    /// Where chance comes from.
    public var random = RandomSource.system
    /// What carries requests; nil for the system's URL loading.
    public var transport: (any Transport)?
    /// The logger (swift-log) of sync rounds, retries, refused changes and repairs. By default nothing is logged.
    ///
    /// An entry contains names of types and properties, kinds of failures, counts and durations. It never contains a
    /// person's text, an id, a token or an address. The mails of one account in a process share one connection, which
    /// logs to the logger of the first.
    public var logger = SyncLog.disabled

    /// The defaults.
    public init() {}

    var syncSettings: SyncSettings {
        var settings = SyncSettings()
        settings.pollInterval = pollInterval
        settings.longestPollInterval = longestPollInterval
        return settings
    }
}
