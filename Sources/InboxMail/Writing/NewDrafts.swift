import Groundwork

/// The ids of the drafts that this process has made and not saved yet. They are lost with it.
///
/// Only these are known to exist on no server. A value that an app still holds may be that of a draft which was saved,
/// sent by another device, and removed from this one.
final class NewDrafts: Sendable {
    private static let maxCount = 10_000
    // Guarded by the lock: drafts are made and saved on any thread.
    private let ids = Locked(Set<String>())

    func add(_ id: String) {
        ids.withLock { ids in
            // Those that were forgotten are searched for before they are sent.
            if ids.count >= Self.maxCount { ids.removeAll() }
            ids.insert(id)
        }
    }

    /// Returns whether a draft is new, once.
    func take(_ id: String) -> Bool { ids.withLock { $0.remove(id) != nil } }
}
