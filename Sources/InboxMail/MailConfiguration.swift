public import Groundwork
import Replica

/// What may be set about a person's mail. The defaults suit an app.
public struct MailConfiguration: Sendable {
    /// Whether the mail is kept up to date by itself. Without, it syncs when ``Mail/sync()`` is called.
    public var isLive = true
    /// For tests: whether another mail of the same account in this process shares the engine. Without, each is as if in
    /// a process of its own.
    package var sharesEngine = true
    /// How often to ask a server that can't tell by itself, in seconds, while there is something going on; 30 by
    /// default.
    ///
    /// While the app reads nothing, the person does nothing and no mail comes, it is asked more and more seldom: after
    /// a quarter of the time since then, up to ``longestPollInterval``; up to four times this while a list is observed.
    /// What the app or the person does next makes it ask at once.
    public var pollInterval = 30.0
    /// How often at least to ask such a server, in seconds; 15 minutes by default.
    public var longestPollInterval = 900.0
    /// How many bytes of bodies the device keeps; 64 MiB by default. Those that weren't looked at for longest go first.
    public var bodyBudget = 64 * 1_048_576
    /// Of how many of the newest mails what they say is fetched before somebody opens them, trash and junk left out;
    /// 200 by default, 0 for none.
    ///
    /// That is done after each sync of mail that is live, as long as the bodies take less than half of ``bodyBudget``.
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

    /// The defaults.
    public init() {}

    var syncSettings: SyncSettings {
        var settings = SyncSettings()
        settings.pollInterval = pollInterval
        settings.longestPollInterval = longestPollInterval
        return settings
    }
}
