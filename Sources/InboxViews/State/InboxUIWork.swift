/// What is under way for an ``InboxUI``; all of it ends with it. Used on the main actor alone.
final class InboxUIWork {
    /// Observes the store's messages. Setting it cancels the previous task.
    var messages: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Follows the surface's settings.
    var settings: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Asks the server.
    var refreshing: Task<Void, Never>?
    /// Waits until something on screen counts as displayed.
    var displaying: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Waits until the text of a time changes.
    var timeUpdate: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }

    /// Which of the tasks that follow the messages counts: an older one may still be about to say something.
    var messagesGeneration = 0
    var settingsGeneration = 0
    /// Whether the store had heard from the server when it was last read: before that, it is not known how the surface
    /// wants its cards.
    var hasSynced = false
    /// Whether the store was closed beneath it.
    var isClosed = false
    /// How many pages are shown.
    var pages = 1
    /// The cards that the listener has received since the refresh began.
    var announced: Set<String> = []
    /// The refresh that ends when the store was read again.
    var ending: Refresh?
    /// Who waits for the refresh to end.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// What has been read since.
    var hasMessages = false, hasSettings = false

    deinit {
        for continuation in waiting { continuation.resume() }
        for task in [messages, settings, refreshing, displaying, timeUpdate] { task?.cancel() }
    }
}

/// A refresh that the server has answered, or not.
struct Refresh {
    let failure: (any Error)?
    /// Whether the store has ever heard from the server: an empty inbox is known to be empty then.
    let hasSynced: Bool
}
