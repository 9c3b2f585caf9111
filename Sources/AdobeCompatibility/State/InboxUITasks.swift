import InboxModel

/// The tasks and the loading state of an ``InboxUI``, which end with it. Used on the main actor only.
final class InboxUITasks {
    /// Observes the store's messages. Setting it cancels the previous task.
    var messages: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Observes the surface's settings. Setting it cancels the previous task.
    var settings: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    /// Fetches changes from the server.
    var refreshing: Task<Void, Never>?
    /// Waits until the next text of a time changes.
    var timeUpdate: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }

    /// The number of the task that observes the messages. An earlier task may still deliver a snapshot, which is
    /// ignored.
    var messagesGeneration = 0
    var settingsGeneration = 0
    /// The messages of the snapshot that was shown last, from which the cards were made.
    var items: [Message] = []
    /// Whether the store had been synced when it was last read. Before that, the surface's settings aren't known.
    var hasSynced = false
    /// Whether the store was closed while it was observed.
    var isClosed = false
    /// The number of pages that are shown.
    var pages = 1
    /// Whether the last page that was added isn't shown yet.
    var isExtending = false
    /// The cards that the listener has received since the refresh began.
    var reportedIDs: Set<String> = []
    /// The refresh that ends when the store has been read again.
    var pendingRefresh: Refresh?
    /// The callers that wait for the end of the refresh.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the messages and the settings have been read since the refresh.
    var didReadMessages = false, didReadSettings = false

    deinit {
        for continuation in waiting { continuation.resume() }
        for task in [messages, settings, refreshing, timeUpdate] { task?.cancel() }
    }
}

/// A refresh for which the server has answered, or which has failed.
struct Refresh {
    let failure: (any Error)?
    /// Whether the store has ever been synced. If it has, an empty inbox is known to be empty.
    let hasSynced: Bool
}
