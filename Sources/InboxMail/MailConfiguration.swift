public import Groundwork
import Replica

/// What may be set about a person's mail. The defaults suit an app.
public struct MailConfiguration: Sendable {
    /// Whether the mail is kept up to date by itself. Without, it syncs when ``Mail/sync()`` is called.
    public var isLive = true
    /// How often to ask a server that can't tell by itself, in seconds; 30 by default.
    public var pollInterval = 30.0
    /// How many bytes of bodies the device keeps; 64 MiB by default. Those that weren't looked at for longest go first.
    public var bodyBudget = 64 * 1_048_576
    /// How many bytes of a body's text are asked for; 1 MiB by default. What is longer is cut, and says so.
    public var longestBody = 1_048_576
    /// How many bytes of attachments the device keeps; 256 MiB by default. Those that weren't used for longest go first.
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
        var settings = SyncSettings(deviceLimit: nil, newDeviceLimit: nil)
        settings.pollInterval = pollInterval
        return settings
    }
}
