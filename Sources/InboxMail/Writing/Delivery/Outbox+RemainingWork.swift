import Groundwork
import JMAP
import Replica

/// The work that is left on the server for a mail that was sent.
extension Outbox {
    /// Moves a sent mail that is still where drafts are to where sent mails are. One that another program has moved
    /// stays there, and is no draft any more.
    func move(_ document: DraftDocument, _ emailID: String) async throws {
        let requests = try await requests(document)
        let place = try await place(requests, document.job.token)
        let mail = try DraftAnswers.mail(try await call(requests.mail(emailID)), emailID, in: place)
        let isElsewhere = mail.map { !$0.mailboxIDs.contains(requests.context.draftsMailbox) } ?? false
        var error: SetError?
        if !isElsewhere || mail?.isDraft ?? true {
            let response = try await call(requests.move(emailID, isElsewhere: isElsewhere))
            error = try DraftAnswers.moving(response, of: [emailID]).kept[emailID]
            knownStates = nil
        }
        try await update(document.id) { [now, jitter, error] document in
            guard let error else { return document.job.moved() }
            let words = "The server says: \(error.description ?? error.type)"
            document.job.moveWasRefused(words, at: now, jitter: jitter)
        }
    }

    /// Replaces a sent mail by a copy that names the hidden recipients.
    func copy(_ document: DraftDocument) async throws {
        guard case .sent(let sentID, _) = document.job.outcome else { return }
        let requests = try await requests(document)
        knownStates = nil
        let search = try await search(requests, document.job.token, of: document.job)
        // A search may not know it yet.
        var mails = search.mails
        if !mails.contains(where: { $0.id == sentID }) {
            let place = try await place(requests, document.job.token)
            mails += [try DraftAnswers.mail(try await call(requests.mail(sentID)), sentID, in: place)].compactMap { $0 }
        }
        let sent = mails.first { $0.id == sentID }
        // The person has put it into the trash: there it stays as it is.
        if sent?.isInTrash ?? false {
            try await update(document.id) { $0.job.copied(sentID) }
            return
        }
        var step = DraftJob.copyStep(mails, of: sentID)
        // A server that doesn't show the hidden recipients has it all the same.
        if case .create = step, let copyID = document.job.aftermath?.copyID {
            step = DraftJob.copyStep(mails.map { $0.id == copyID ? $0.named : $0 }, of: sentID)
            if case .create = step { return try await waitForCopy(copyID, document.id) }
        }
        switch step {
        case .create:
            let request = requests.copy(document, of: sent, ifInState: search.states.mails, at: now)
            switch try DraftAnswers.creation(try await call(request)) {
            // The next step finds both mails.
            case .created(let emailID): try await update(document.id) { $0.job.createdCopy(emailID) }
            case .refused(let refusal), .postponed(let refusal):
                try await update(document.id) { [now, jitter] document in
                    document.job.copyWasRefused(refusal, at: now, jitter: jitter)
                }
            case .blobsNotFound(let blobs): try await forgetBlobs(blobs, of: document)
            }
        case .keep(let emailID, let others):
            if !others.isEmpty {
                let response = try await call(requests.destroy(others, ifInState: search.states.mails))
                _ = try DraftAnswers.destruction(response, of: others)
            }
            try await update(document.id) { $0.job.copied(emailID) }
        }
    }

    /// Waits for a copy that was created and isn't found yet, and after a while leaves both mails where they are.
    private func waitForCopy(_ emailID: String, _ id: String) async throws {
        try await update(id) { [now, jitter] document in
            if document.job.retry?.failures ?? 0 < 5 {
                document.job.postpone(at: now, jitter: jitter)
            } else {
                document.job.copied(emailID)
            }
        }
    }
}
