public import InboxModel
import Replica

extension Inbox {
    /// How a surface is to be shown, as the backend last set it and this device knows it: no network is needed.
    /// ``sync()`` brings news.
    ///
    /// - Returns: Nil where the backend has set none, or where this device has never synced.
    /// - Throws: ``InboxError``: `invalidAnswer` where the server's settings can't be read, `storage`, `closed`.
    @concurrent
    public func settings(surface: String) async throws -> InboxSettings? {
        try await read { db in try db.settings(of: surface) }.get()
    }

    /// How a surface is to be shown: what is stored at once, then each change, whether it came by this process or
    /// another.
    ///
    /// Whoever is slow gets the newest. Ends when the iterating task is cancelled, the inbox is closed, or the person
    /// signs out.
    public func observeSettings(surface: String) -> SettingsUpdates {
        SettingsUpdates(store, changes, surface: surface)
    }
}
