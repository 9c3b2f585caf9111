import Groundwork

/// The drafts that this process has made, by their ids. They are lost with it.
///
/// - Those that aren't saved yet are the only ones that are known to exist on no server. A value that an app still
///   holds may be that of a draft which was saved, sent by another device, and removed from this one.
/// - Of the saved ones, only these are known not to be from a backup, after which they may have been sent.
final class NewDrafts: Sendable {
    private struct State {
        var unsaved: Set<String> = []
        var saved: Set<String> = []
    }

    private static let maxCount = 10_000
    // Guarded by the lock: drafts are made and saved on any thread.
    private let state = Locked(State())

    func add(_ id: String) { state.withLock { Self.insert(id, into: &$0.unsaved) } }

    /// Returns whether a draft is new, once: it is about to be saved.
    func take(_ id: String) -> Bool {
        state.withLock { state in
            guard state.unsaved.remove(id) != nil else { return false }
            Self.insert(id, into: &state.saved)
            return true
        }
    }

    /// Whether this process was the first to save a draft.
    func hasSaved(_ id: String) -> Bool { state.withLock { $0.saved.contains(id) } }

    private static func insert(_ id: String, into ids: inout Set<String>) {
        // Those that were forgotten are searched for before they are sent.
        if ids.count >= maxCount { ids.removeAll() }
        ids.insert(id)
    }
}
