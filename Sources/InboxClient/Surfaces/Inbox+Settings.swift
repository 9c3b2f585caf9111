public import InboxModel
import Replica

extension Inbox {
    /// Returns the display settings of a surface as the backend last set them and this device knows them. It needs no
    /// network. ``sync()`` fetches changes.
    ///
    /// - Returns: Nil if the backend has set none, or if this device has never synced.
    /// - Throws: ``InboxError``: `invalidAnswer` if the server's settings can't be read, `storage`, `closed`.
    @concurrent
    public func settings(surface: String) async throws -> InboxSettings? {
        try await read { db in try db.settings(of: surface) }.get()
    }

    /// Returns a sequence of the display settings of a surface: the stored settings at once, then each change by this
    /// process or another one.
    ///
    /// A slow observer receives the newest settings only. The sequence ends when the iterating task is cancelled, the
    /// inbox is closed, or the person signs out.
    public func observeSettings(surface: String) -> SettingsUpdates {
        SettingsUpdates(store, changes, surface: surface)
    }
}
