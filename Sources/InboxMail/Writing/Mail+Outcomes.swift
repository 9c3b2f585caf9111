import Replica

/// The outcomes of drafts.
extension Mail {
    /// Returns what became of a draft, also of one that no list has any more. It needs no network.
    ///
    /// A draft that is gone may have been sent or discarded, here, in another window or on another device. What this
    /// device has sent is known for a day, and as long as the sent mail is on this device.
    ///
    /// - Parameter id: The id of the draft (``MailDraft/id``).
    /// - Returns: Nil if this device has no trace of it: it was discarded, never saved, or sent by another device whose
    ///   mail isn't here. This device hasn't sent it within the last day.
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func outcome(ofDraft id: String) async throws -> DraftOutcome? {
        try await read { db in try db.draftOutcome(id) }
    }
}
