import Foundation
import Groundwork
import JMAP
import Replica

extension Outbox {
    /// Searches for mails with a draft's token, or for one saved version by the left side of its `Message-ID`.
    func search(_ requests: DraftRequests, _ token: String) async throws -> DraftAnswers.Search {
        let trash = try await store.read { db in try StoreQuery(roles: [.trash]).fetch(db).first?.id }
        for _ in 0..<2 {
            let response = try await connection.call(requests.search(for: token, isScanning: isScanning))
            if let search = try DraftAnswers.search(
                response,
                token: token,
                trash: trash,
                sent: requests.context.sentMailbox ?? requests.context.draftsMailbox
            ) {
                return search
            }
            isScanning = true
        }
        throw SyncError.malformed("Email/query")
    }

    func send(_ document: DraftDocument) async throws {
        let id = document.id
        let requests = try await requests(document)
        guard requests.context.identity != nil else {
            let text = "The server has no identity to send with for this account."
            try await update(id) { $0.job.cannotProceed(DraftRefusal(.notSupported, text)) }
            return
        }
        let hasBcc = !document.text.bcc.isEmpty
        // A draft that no other device knows needs no search.
        let isSecret =
            document.job.ownVersions.isEmpty && document.job.attempt == nil && !(document.job.hasAttempted ?? false)
            && document.job.attemptDates.isEmpty
        var state = isSecret ? knownState : nil
        knownState = nil
        if state == nil {
            let search = try await search(requests, document.job.token)
            var mails = search.mails
            let undecided = document.job.undecided(mails)
            if !undecided.isEmpty {
                let submitted = DraftAnswers.submitted(
                    try await connection.call(requests.submissions(of: undecided))
                )
                for index in mails.indices { mails[index].isSubmitted = submitted.contains(mails[index].id) }
            }
            let maySend = try await store.write { [now, mails] writer in
                // The person may have taken the order back, or discarded the draft.
                guard var document = try writer.db.draftDocument(id), case .send = document.job.order else {
                    return false
                }
                let maySend = document.job.found(mails, at: now, hasBcc: hasBcc)
                try writer.put(document)
                if case .sent = document.job.outcome { try writer.noteAnswer(document.text) }
                return maySend
            }
            guard maySend else { return }
            state = search.state
        }
        guard let state else { return }
        let now = now
        let current = try await update(id) { current -> DraftDocument? in
            // The person may have taken the order back, and given another one.
            guard case .send(let time) = current.job.order, time <= now,
                current.job.revision == document.job.revision
            else { return nil }
            current.job.beginAttempt(at: now)
            return current
        }
        guard let current, let current else { return }
        let response: Response
        do {
            response = try await connection.call(requests.send(current, ifInState: state, at: now))
        } catch let error as SyncError where error.isCertainlyUnprocessed {
            try await update(id) { document in
                document.job.attempt = nil
                if error.isTooLarge { document.job.cannotProceed(DraftRefusal(.tooLarge, DraftAnswers.tooLarge)) }
            }
            if error.isTooLarge { return }
            throw error
        }
        let answer = try DraftAnswers.send(response)
        let (time, random) = (self.now, configuration.random)
        try await store.write { writer in
            guard var document = try writer.db.draftDocument(id) else { return }
            document.job.answered(answer, at: time, hasBcc: hasBcc, jitter: random.unit())
            try writer.put(document)
            if case .sent = answer { try writer.noteAnswer(document.text) }
        }
        switch answer {
        case .sent: knownState = DraftAnswers.stateAfterSending(response)
        case .blobsNotFound(let blobs, _): try await forgetBlobs(blobs, of: id)
        case .stateMismatch: break
        case .refused(_, let emailID?), .postponed(_, let emailID?):
            // If this fails, it is done later.
            try? await destroy(document, [emailID])
        case .refused, .postponed: break
        }
    }

    /// Replaces a sent mail by a copy that names the hidden recipients.
    func copy(_ document: DraftDocument) async throws {
        let requests = try await requests(document)
        knownState = nil
        let search = try await search(requests, document.job.token)
        var step = DraftJob.copyStep(search.mails)
        // A server that doesn't show the hidden recipients has it all the same.
        if case .create = step, let copyID = document.job.aftermath?.copyID {
            step = DraftJob.copyStep(search.mails.map { $0.id == copyID ? $0.named : $0 })
            if case .create = step { return try await waitForCopy(copyID, document.id) }
        }
        switch step {
        case .create:
            let response = try await connection.call(requests.copy(document, ifInState: search.state, at: now))
            switch try DraftAnswers.creation(response) {
            // The next step finds both mails.
            case .created(let emailID): try await update(document.id) { $0.job.createdCopy(emailID) }
            case .refused: try await update(document.id) { $0.job.abandonCopy() }
            case .postponed:
                try await update(document.id) { [now, random = configuration.random] document in
                    document.job.postpone(at: now, jitter: random.unit())
                }
            case .blobsNotFound(let blobs): try await forgetBlobs(blobs, of: document.id)
            }
        case .keep(let emailID, let others):
            if !others.isEmpty {
                let response = try await connection.call(requests.destroy(others))
                _ = try DraftAnswers.destruction(response, of: others)
            }
            try await update(document.id) { $0.job.copied(emailID) }
        }
    }
}

extension Outbox {
    /// Waits for a copy that was created and isn't found yet, and after a while leaves both mails where they are.
    private func waitForCopy(_ emailID: String, _ id: String) async throws {
        try await update(id) { [now, random = configuration.random] document in
            if document.job.retry?.failures ?? 0 < 5 {
                document.job.postpone(at: now, jitter: random.unit())
            } else {
                document.job.copied(emailID)
            }
        }
    }
}

extension StoreWriter {
    /// Marks the mail that a sent draft answers or forwards.
    func noteAnswer(_ text: DraftText) throws {
        let marks = [(text.answeredMessageID, Keyword.answered), (text.forwardedMessageID, Keyword.forwarded)]
        for (id, keyword) in marks {
            if let id { try update(.email, RecordType.keywords, members: [keyword: true], ids: [id]) }
        }
    }
}

extension SyncError {
    /// Whether the failure concerns the draft, and not the connection.
    var isAboutOneDraft: Bool {
        switch self {
        case .method, .malformed: true
        default: false
        }
    }

    /// Whether the server refuses the request for its size.
    var isTooLarge: Bool {
        switch self {
        case .status(let status, _, _): status == 413
        case .method(let error): error.type == "requestTooLarge"
        default: false
        }
    }

    /// Whether the server has certainly not processed the request.
    var isCertainlyUnprocessed: Bool {
        switch self {
        // A proxy that waited in vain for a server's answer says 408, whatever the server did.
        case .status(let status, _, _): (400..<500).contains(status) && status != 408
        case .unauthorized, .noToken, .otherPerson, .noAccount, .otherProcess: true
        case .method(let error): error.type == "requestTooLarge"
        case .transport, .malformed: false
        }
    }
}
