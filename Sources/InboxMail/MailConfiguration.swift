public import Groundwork
public import Logging
public import MailComposing
package import Replica

/// The settings of a person's mail. The defaults suit an app.
public struct MailConfiguration: Sendable {
    /// Whether the mail is kept up to date automatically. If not, it syncs only when ``Mail/sync()`` is called.
    public var isLive = true
    /// For tests: whether this instance shares the engine with others of the same account in this process. If not, each
    /// behaves as if it were in a process of its own.
    package var sharesEngine = true
    /// The interval, in seconds, at which a server without push is polled during activity. 30 by default.
    ///
    /// Without reads, actions and new mail, the interval grows: it is a quarter of the time since then, up to
    /// ``maxPollInterval``, and up to four times this value while a list is observed. The next use by the app or
    /// the person polls at once.
    public var pollInterval = SyncSettings().pollInterval
    /// The maximum interval, in seconds, at which such a server is polled. 15 minutes by default.
    public var maxPollInterval = SyncSettings().maxPollInterval
    /// The budget for stored bodies, in bytes. 64 MiB by default. The least recently used ones are dropped first.
    public var bodyBudget = 64 * 1_048_576
    /// The number of newest mails whose bodies are fetched in advance, without trash and junk. 200 by default, 0 for
    /// none.
    ///
    /// They are fetched after each sync of live mail, as long as the bodies take less than half of ``bodyBudget``.
    public var recentBodies = 200
    /// The maximum size of a body's text, in bytes. 1 MiB by default. Longer texts are truncated and marked as such
    /// (``MailBody/isTruncated``). Those of drafts are fetched whole, and so are those of mails that are forwarded.
    public var maxBodySize = 1_048_576
    /// The budget for stored attachments, in bytes. 256 MiB by default. The least recently used ones are deleted first.
    public var fileBudget = 256 * 1_048_576
    /// The budget for the stored pictures of mails from the web, in bytes. 100 MiB by default, 0 for none. The pictures
    /// of the mail that was read least recently are deleted first.
    public var pictureBudget = 100 << 20
    /// The name and address with which the person sends, for a server that doesn't provide them. Nil for the user's
    /// name, if it is an address.
    public var sender: EmailAddress?
    /// The time, in seconds, for which a mail waits after ``Mail/send(_:later:)``, so that ``Mail/undoSend(_:)`` can
    /// cancel it. 5 by default, 0 for none.
    public var undoSendInterval = 5.0
    /// The time in seconds after its own at which the mail of `Mail.verifyHeldSending(after:)` has to have arrived.
    package var heldCheckPatience = 120.0
    /// Whether opening mail in the file of an inbox may delete the unsent drafts of other credentials' mail that the
    /// file holds. By default it throws `unsentDrafts` instead, and nothing has changed.
    public var discardsOtherDrafts = false
    /// The clock.
    public var clock: any WallClock = SystemClock()
    /// The source of randomness.
    public var random = RandomSource.system
    /// The transport of requests, also of those for pictures on the web; nil for the system's URL loading.
    public var transport: (any Transport)?
    /// For tests: called at each moment of a write.
    package var writeHook: WriteHook?
    /// The logger (swift-log) of sync rounds, retries, refused changes and repairs. By default nothing is logged.
    ///
    /// An entry contains names of types and properties, kinds of failures, counts and durations. It never contains a
    /// person's text, an id, a token or an address. The mails of one account in a process share one connection, which
    /// logs to the logger of the first.
    public var logger = SyncLog.disabled

    /// Creates the default settings.
    public init() {}

    var syncSettings: SyncSettings {
        var settings = SyncSettings()
        settings.pollInterval = pollInterval
        settings.maxPollInterval = maxPollInterval
        return settings
    }
}
