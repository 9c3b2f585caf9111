import Groundwork
import JMAP
import Replica

/// The drafts of which it isn't known whether they were sent, at a look for their mails.
///
/// There may be many mails, and a draft may stay in this state for years, so the next look reads what has changed
/// since.
struct UnknownOutcomes: Hashable, Sendable {
    /// The store's revision.
    let revision: Int
    /// The drafts' ids.
    var ids: Set<String>
    /// The ids of those whose mail may be one that was on this device before.
    var unread: Set<String>
}

extension Outbox {
    /// Looks at the drafts of which it isn't known whether they were sent: a sync may have brought a mail with the
    /// `Message-ID` of one. What the server has decides, as before another attempt.
    ///
    /// - Throws: As ``flush(only:)``. The next call looks at the same mails again.
    func settleUnknownOutcomes() async throws {
        try await ReplicaStore.withSyncAllowed {
            let last = unknownOutcomes
            let (read, found) = try await store.read { db in try db.mailsOfUnknownOutcomes(since: last) }
            var look = read
            look.unread = []
            for (id, mails) in found {
                do {
                    try await settle(id, by: mails)
                } catch let error as SyncError where error.isAboutOneDraft && !error.asksForPause {
                    // The others don't wait for it.
                    look.unread.insert(id)
                }
            }
            // If another call has looked meanwhile, the changes since the earlier look are read again.
            unknownOutcomes = look
        }
    }

    /// Settles the outcome of a draft.
    ///
    /// - Parameter ids: The ids of mails that the server's search may not know yet.
    private func settle(_ id: String, by ids: [String]) async throws {
        guard let document = try await store.read({ db in try db.draftDocument(id) }) else { return }
        let job = document.job
        let requests = try await requests(document)
        var mails = try await search(requests, job.token, of: job, spentToken: job.spentToken).mails
        let place = try await place(requests, job.token, job.spentToken)
        for id in ids where !mails.contains(where: { $0.id == id }) {
            let mail = try DraftAnswers.mail(try await call(requests.mail(id)), id, in: place)
            if let mail { mails.append(mail) }
        }
        try await update(id) { [now, mails] current in
            // The person may have changed it, or ordered to send it again.
            guard case .unknown = current.job.outcome, current.job.token == job.token else { return }
            _ = current.job.foundSent(mails, at: now, hasBcc: !current.text.bcc.isEmpty)
        }
    }
}
