import InboxClient

/// The reading of a list by a one-shot command: synced first, and with the messages that this device doesn't hold, as
/// far as the server can be reached.
struct ListReading {
    let query: Query<Message>
    let filter: MessageFilter
    let surface: String?
    let offline: Bool

    /// Returns the list and whether it is up to date. Notes on standard error name the outdated parts.
    func read(_ inbox: Inbox) async throws -> (InboxSnapshot, SyncOutcome) {
        let outcome = try await SyncOutcome.attempt(inbox, offline: offline)
        let stored = try await inbox.snapshot(of: query, in: filter, surface: surface)
        if case .failed = outcome, let reason = outcome.reason {
            Output.note("inbox: Not up to date: \(reason).\(stored.hasSynced ? " What is stored is shown." : "")")
        }
        guard outcome.isSynced, !stored.isComplete else { return (stored, outcome) }
        do {
            return (try await inbox.fetchSnapshot(of: query, in: filter, surface: surface), outcome)
        } catch let error as InboxError where error.code != .storage && error.code != .closed {
            Output.note("inbox: Some messages couldn't be fetched: \(error.description)")
            let failure = SyncOutcome.failed(error)
            return (stored, failure.needsLogin ? failure : outcome)
        }
    }
}
