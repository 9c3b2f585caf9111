import InboxMail

/// A progress bar for the first sync of a mailbox, at a terminal.
enum SyncProgress {
    static func show(_ mail: Mail) async throws {
        guard Terminal.showsNotes else { return try await mail.sync() }
        let values = mail.progress
        let bar = Task {
            var bar = ProgressBar(total: 0) { done, total in "\(done) of \(counted(total, "mail"))" }
            for await value in values {
                if let value { bar.update(to: value.done, of: value.total) }
            }
            bar.clear()
        }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await mail.sync())
        } catch {
            outcome = .failure(error)
        }
        // Cleared before the next line is written.
        bar.cancel()
        await bar.value
        try outcome.get()
    }
}
