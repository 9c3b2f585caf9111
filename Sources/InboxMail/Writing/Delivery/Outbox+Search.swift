import Groundwork
import JMAP
import Replica

/// The search for mails that a draft may have been sent as.
extension Outbox {
    /// Searches for mails with a draft's token, or for one saved version by the left side of its `Message-ID`.
    ///
    /// - Parameters:
    ///   - spentToken: A token with which another device may have sent the draft; nil for none.
    ///   - readsSubmissions: Whether the state of the submissions is read too.
    ///   - versions: The ids of known versions, of which the result says which are missing.
    func search(
        _ requests: DraftRequests,
        _ token: String,
        of job: DraftJob,
        spentToken: String? = nil,
        readsSubmissions: Bool = false,
        versions: [String] = []
    ) async throws -> DraftAnswers.Search {
        let place = try await place(requests, token, spentToken)
        if !isScanning {
            let response = try await call(
                requests.search(for: token, readsSubmissions: readsSubmissions, versions: versions)
            )
            if var search = try DraftAnswers.search(response, in: place, versions: versions) {
                guard let spentToken else { return search }
                let response = try await call(requests.search(for: spentToken))
                if let others = try DraftAnswers.search(response, in: place) {
                    search.mails += others.mails
                    return search
                }
            }
            isScanning = true
        }
        var whole: DraftAnswers.Search?
        var position = 0
        for _ in 0..<Self.maxPages {
            // The first page shows which versions are there.
            let asked = whole == nil ? versions : []
            let request = requests.search(
                for: token,
                scanningFrom: position,
                readsSubmissions: readsSubmissions,
                versions: asked
            )
            let answer = try DraftAnswers.search(
                try await call(request),
                in: place,
                scanningFrom: position,
                versions: asked
            )
            guard let page = answer else { throw SyncError.malformed("Email/query") }
            let known = Set((whole?.mails ?? []).map(\.id))
            // The first page has the states before them all.
            let mails = (whole?.mails ?? []) + page.mails.filter { !known.contains($0.id) }
            whole = DraftAnswers.Search(
                states: whole?.states ?? page.states,
                mails: mails,
                missing: whole?.missing ?? page.missing
            )
            guard let rest = page.rest, rest.time > job.searchHorizon else { break }
            position = rest.position
        }
        guard let whole else { throw SyncError.malformed("Email/query") }
        return whole
    }

    /// The number of pages of a scan.
    private static let maxPages = 50

    func place(
        _ requests: DraftRequests,
        _ token: String,
        _ spentToken: String? = nil
    ) async throws -> DraftAnswers.Place {
        let trash = try await store.read { db in try StoreQuery(roles: [.trash]).fetch(db).first?.id }
        let sent = requests.context.sentMailbox ?? requests.context.draftsMailbox
        return DraftAnswers.Place(token: token, spentToken: spentToken, trash: trash, sent: sent)
    }

    /// The knowledge of a draft's attempt after a search.
    struct Findings {
        /// The draft's mails.
        var mails: [FoundMail] = []
        /// Whether the attempt was certainly not carried out, if none of them is its own.
        var isExcluded: Bool
        /// A state of the account's mails, later than that of the search, at which this is so; nil for none.
        var state: String?
        /// The ids of mails that were removed until then. The search may have found them.
        var removed: [String] = []
    }

    /// Looks further for an attempt of which a search has found no mail.
    ///
    /// - Parameter state: The state of the account's mails before the search.
    private func lookUp(
        _ attempt: DraftJob.Attempt,
        of job: DraftJob,
        in state: String,
        _ requests: DraftRequests
    ) async throws -> Findings {
        // An attempt of an earlier version.
        guard let states = attempt.states else { return Findings(isExcluded: true) }
        if ownChanges.areAll(from: states.mails, to: state) { return Findings(isExcluded: true) }
        let place = try await place(requests, job.token, job.spentToken)
        var submissions: Response?
        if let since = states.submissions {
            // An hour for the clocks of device and server.
            submissions = try await call(requests.submissions(since: since, before: attempt.since - 3_600_000))
        }
        // Last, since the next request is made in the state that this reads.
        let changes = try await changes(since: states.mails, in: place, requests)
        guard job.lacksAttempt(changes.mails) else { return Findings(mails: changes.mails, isExcluded: false) }
        if let submissions {
            if DraftAnswers.excludesSubmission(submissions, since: states, in: place) {
                // A server that doesn't show what it has created may be about to submit it.
                let isOver = now - job.recorded(attempt.since, at: now) >= DraftJob.attemptPatience
                return Findings(
                    isExcluded: changes.isComplete || isOver,
                    state: changes.state,
                    removed: changes.removed
                )
            }
            // One may be the attempt's, of a mail that is gone.
            if !DraftAnswers.areOtherSubmissions(submissions, since: states, in: place, beside: changes) {
                return Findings(isExcluded: false)
            }
        }
        return Findings(
            isExcluded: try await isOtherConflict(attempt, changes, in: place),
            state: changes.state,
            removed: changes.removed
        )
    }

    /// Whether the changes of other mails are the reason for which an attempt's only request found the account's mails
    /// in another state, so that it wasn't carried out.
    ///
    /// The server's answer alone doesn't show it: the network may have delivered the request twice, and the first copy
    /// been carried out. Then the changes since contain its mail. A server may leave out one that was removed again, so
    /// they have to contain another change, by which the answer is explained, and no removal of a mail that may be the
    /// attempt's: one that this device doesn't know, or one that a sync has brought; and they are read at once, as a
    /// rule, and before the attempt would be reported as unknown.
    private func isOtherConflict(
        _ attempt: DraftJob.Attempt,
        _ changes: DraftAnswers.Changes,
        in place: DraftAnswers.Place
    ) async throws -> Bool {
        guard attempt.isRefused ?? false, !(attempt.isRepeated ?? false), changes.isComplete,
            (0..<DraftJob.attemptPatience).contains(now - attempt.since), changes.hasOthers || !changes.removed.isEmpty
        else { return false }
        let removed = Set(changes.removed)
        let known = try await store.read { db in try db.mails(Array(removed)) }
        return known.count == removed.count
            && !known.contains { place.isForSending($0.messageIDs.first) ?? false }
    }

    /// Returns the changes of the account's mails since a state, with the created mails that are a draft's. A server's
    /// search may not know them yet.
    func changes(
        since state: String,
        in place: DraftAnswers.Place,
        _ requests: DraftRequests
    ) async throws -> DraftAnswers.Changes {
        var (changes, next): (DraftAnswers.Changes, String?) = (.init(), state)
        for _ in 0..<Self.maxPages {
            guard let since = next else { break }
            let response = try await call(requests.changes(since: since))
            guard let page = DraftAnswers.changes(response, in: place) else { break }
            changes.add(page.changes)
            next = page.next
            // A server that names the same state again would do so each time.
            if next == since { break }
        }
        // The rest isn't known.
        changes.isComplete = changes.isComplete && next == nil
        if !changes.isComplete { changes.state = nil }
        return changes
    }

    /// Returns the ids of the known versions that the server doesn't have, unless another device has replaced them.
    func missingVersions(
        _ sending: Sending,
        _ mails: [FoundMail],
        _ search: DraftAnswers.Search
    ) async throws -> [String] {
        let job = sending.document.job
        // A version has the draft's id, whatever token the mail to send has.
        guard job.token != sending.id, job.isRemovedElsewhere(mails, missing: search.missing) else {
            return search.missing
        }
        let others = try await self.search(sending.requests, sending.id, of: job).mails
        let isReplaced = others.contains {
            $0.isDraft && !$0.isForSending && !$0.isInTrash && !job.isRemovedHere($0)
        }
        return isReplaced ? [] : search.missing
    }

    /// Returns the mails that a search has found, with those of an attempt that it may not know yet.
    func findings(_ sending: Sending, after search: DraftAnswers.Search) async throws -> Findings {
        let job = sending.document.job
        var findings = Findings(isExcluded: true)
        if job.lacksAttempt(search.mails) {
            let (state, requests) = (search.states.mails, sending.requests)
            if let attempt = job.attempt {
                findings = try await lookUp(attempt, of: job, in: state, requests)
            } else if let refused = job.refused, now - refused.since < DraftJob.searchLag,
                !ownChanges.areAll(from: refused.mails, to: state)
            {
                // Another copy of the last request may have been carried out.
                let place = try await place(requests, job.token, job.spentToken)
                let changes = try await changes(since: refused.mails, in: place, requests)
                (findings.mails, findings.state) = (changes.mails, changes.state)
                findings.removed = changes.removed
            }
        }
        findings.mails = search.mails.filter { !findings.removed.contains($0.id) } + findings.mails
        return findings
    }
}
