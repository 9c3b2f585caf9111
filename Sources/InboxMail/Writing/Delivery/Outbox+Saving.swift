import Groundwork
import JMAP
import Replica

/// The versions of drafts on the server: they are created, found, and removed.
extension Outbox {
    func save(_ document: DraftDocument) async throws {
        let requests = try await requests(document)
        let messageID = DraftToken.versionID(
            document.id,
            domain: requests.context.domain,
            configuration.random
        )
        let date = now
        let replaced = try await replacedVersion(of: document, requests.context)
        let begun = try await update(document.id) { current in
            // The person may have gone on writing, or ordered something else.
            guard current.job.revision == document.job.revision, current.job.order == nil else { return false }
            current.job.beginSaving(messageID: messageID, date: date)
            return true
        }
        guard begun ?? false else { return }
        knownStates = nil
        try await create(document, requests, messageID: messageID, replacing: replaced, at: date)
    }

    /// Creates a version whose saving has begun. One that the server refuses to have where the version before is, or
    /// with its keywords, is created as a plain draft.
    private func create(
        _ document: DraftDocument,
        _ requests: DraftRequests,
        messageID: String,
        replacing replaced: MailMessage?,
        at date: Int
    ) async throws {
        let response: Response
        do {
            response = try await call(requests.save(document, messageID: messageID, replacing: replaced, at: date))
        } catch let error as SyncError where error.isCertainlyUnprocessed {
            try await update(document.id) { [now] document in
                if error.isTooLarge {
                    document.job.saveWasRefused(DraftRefusal(.tooLarge, DraftAnswers.tooLarge), at: now)
                } else {
                    document.job.didNotSave()
                }
            }
            if error.isTooLarge { return }
            throw error
        }
        switch try Self.creation(response) {
        case .created(let emailID): try await update(document.id) { [now] in $0.job.didSave(emailID, at: now) }
        case .refused(let refusal):
            if refusal.code == .other, let plain = replaced.flatMap(requests.plain) {
                return try await create(document, requests, messageID: messageID, replacing: plain, at: date)
            }
            try await update(document.id) { [now] in $0.job.saveWasRefused(refusal, at: now) }
        case .postponed(let refusal):
            try await update(document.id) { [now, jitter] document in
                document.job.saveWasPostponed(refusal, at: now, jitter: jitter)
            }
        case .blobsNotFound(let blobs):
            try await update(document.id) { $0.job.didNotSave() }
            try await forgetBlobs(blobs, of: document)
        }
    }

    /// Returns the version that the next one replaces, in those of its mailboxes in which a draft may be; nil if it
    /// isn't on this device.
    private func replacedVersion(
        of document: DraftDocument,
        _ context: DraftRequests.Context
    ) async throws -> MailMessage? {
        guard let id = document.job.saved?.emailID ?? document.job.included.last else { return nil }
        let others = [context.trashMailbox, context.sentMailbox].compactMap { $0 }
        return try await store.read { db in
            guard var version = try db.mail(id) else { return nil }
            version.mailboxIDs = try version.mailboxIDs.filter { try !others.contains($0) && db.exists(.mailbox, $0) }
            return version
        }
    }

    /// Reads the answer to a request to save. A refusal of the request as a whole is one of the draft.
    private static func creation(_ response: Response) throws(SyncError) -> DraftAnswers.Creation {
        do {
            return try DraftAnswers.creation(response)
        } catch {
            // Nothing was created (RFC 8620, section 3.6.2).
            guard case .method(let failure) = error, !failure.isRetryable else { throw error }
            return .refused(DraftRefusal(refusing: failure))
        }
    }

    func findSaved(_ document: DraftDocument, _ messageID: String) async throws {
        let requests = try await requests(document)
        let local = String(messageID.prefix { $0 != "@" })
        let found = try await search(requests, local, of: document.job).mails
        var version = (found.first { $0.isDraft && !$0.isInTrash } ?? found.first)?.id
        if version == nil { version = try await newVersion(local, of: document.id, requests) }
        try await update(document.id) { [now, version] document in
            if let version { document.job.didSave(version, at: now) } else { document.job.didNotSave() }
        }
    }

    /// Returns the id of a version that the server's search may not know yet: one that a sync has brought, or that was
    /// created since the last one; nil if there is none.
    ///
    /// - Parameter local: The left side of its `Message-ID`.
    private func newVersion(_ local: String, of id: String, _ requests: DraftRequests) async throws -> String? {
        let (version, state) = try await store.read { db -> (String?, String?) in
            let versions = try db.draftVersions(id, nil)
            let version = versions.first { $0.messageIDs.first?.hasPrefix("\(local)@") ?? false }
            return (version?.id, try db.syncPosition(.email)?.state)
        }
        guard version == nil, let state else { return version }
        return try await changes(since: state, in: place(requests, local), requests).mails.first?.id
    }

    /// Removes versions. Those that another program has sent, or put into the trash, stay. Mails of attempts that may
    /// have been sent are moved to the trash, or stay without one: other devices, too, have to see that.
    func destroy(_ document: DraftDocument, _ ids: [String]) async throws {
        let requests = try await requests(document)
        guard let removal = try await removal(of: ids, document, requests) else { return }
        if !unansweredRemovals.isSuperset(of: removal.missing) { try await lookIntoRemoval(of: document, requests) }
        let attempts = removal.attempts.filter { !(document.job.unsubmitted ?? []).contains($0) }
        guard attempts.isEmpty else { return try await trash(attempts, of: document, removal.state, requests) }
        let filed = try await keepFiles(of: document, destroying: removal.ids)
        let ids = removal.ids.filter { !filed.contains($0) }
        guard !ids.isEmpty else { return }
        let request = requests.destroy(ids, ifInState: removal.state)
        unansweredRemovals.formUnion(ids)
        let response = try await call(request)
        unansweredRemovals.subtract(ids)
        knownStates = nil
        try await removed(document) { () throws(SyncError) in try DraftAnswers.destruction(response, of: ids) }
    }

    /// Finds out whether another device or program may have sent a draft: it has removed a version that this device was
    /// about to remove, and the server has no other mail of the draft.
    private func lookIntoRemoval(of document: DraftDocument, _ requests: DraftRequests) async throws {
        guard document.job.isTokenInQuestion, document.job.token == document.id else { return }
        let mails = try await search(requests, document.id, of: document.job).mails
        let own = Set(document.job.ownVersions)
        guard mails.allSatisfy({ own.contains($0.id) || document.job.isRemovedHere($0) }) else { return }
        try await update(document.id) { $0.job.isTokenSpent = true }
    }

    /// Moves the versions of a discarded draft to the trash, where other devices see that it was discarded, and the
    /// person finds it. Without a trash they are removed. Those that another program has sent stay.
    func trash(_ document: DraftDocument, _ ids: [String]) async throws {
        let requests = try await requests(document)
        guard requests.context.trashMailbox != nil else { return try await destroy(document, ids) }
        guard let removal = try await removal(of: ids, document, requests) else { return }
        try await trash(removal.ids, of: document, removal.state, requests)
    }

    /// Moves mails to the trash, in one state of the account's mails. Without a trash they stay.
    private func trash(
        _ ids: [String],
        of document: DraftDocument,
        _ state: String,
        _ requests: DraftRequests
    ) async throws {
        guard let request = requests.trash(ids, ifInState: state) else {
            try await update(document.id) { [now] document in
                document.job.didDestroy([], refused: ids, at: now)
                guard document.job.order == .discard else { return }
                let text = "It may have been sent, and the account has no trash, where that could be seen."
                document.job.discardRefusal = .init(reason: DraftRefusal(.notDiscarded, text), isSeen: false)
            }
            return
        }
        let response = try await call(request)
        knownStates = nil
        try await removed(document) { () throws(SyncError) in try DraftAnswers.moving(response, of: ids) }
    }

    /// Records the answer to a request that removes versions of a draft. What the server refuses to remove stays, as
    /// another version. A discarded draft stays with the reason, also if the request is refused as a whole.
    private func removed(
        _ document: DraftDocument,
        _ read: () throws(SyncError) -> (gone: [String], kept: [String: SetError])
    ) async throws {
        let answer: (gone: [String], kept: [String: SetError])
        do {
            answer = try read()
        } catch {
            // The next step asks in the present state.
            guard document.job.order == .discard, case .method(let failure) = error, !failure.isRetryable,
                failure.type != "stateMismatch"
            else { throw error }
            try await update(document.id) { [now] document in
                document.job.discardWasRefused("You may not remove it (\(failure.type)).", at: now)
            }
            return
        }
        try await update(document.id) { [now, jitter] document in
            document.job.didRemove(answer.gone, refused: answer.kept, at: now, jitter: jitter)
        }
    }

    /// Reads which versions can be removed. Others are no longer this device's to remove.
    ///
    /// - Returns: Nil if there were others. The rest is removed in the next step.
    private func removal(
        of ids: [String],
        _ document: DraftDocument,
        _ requests: DraftRequests
    ) async throws -> DraftAnswers.Removal? {
        let ids = Array(ids.prefix(50))
        let response = try await call(requests.places(of: ids))
        var removal = try DraftAnswers.removal(response, of: ids, trash: requests.context.trashMailbox)
        let others = try await others(among: removal, document.id)
        removal.keep(others)
        guard removal.kept.isEmpty else {
            try await update(document.id) { [now, kept = removal.kept] document in
                document.job.didDestroy([], refused: kept, at: now)
            }
            return nil
        }
        return removal
    }

    /// Returns the ids of mails that are other ones than the draft's versions with these ids, as their `Message-ID`s
    /// show: a server that was restored may give its later ids again, to any mail.
    private func others(among removal: DraftAnswers.Removal, _ draftID: String) async throws -> Set<String> {
        let present = removal.ids.filter { !removal.missing.contains($0) }
        return try await store.read { db in
            let known = Dictionary(
                try db.mails(present).map { ($0.id, $0.messageIDs) },
                uniquingKeysWith: { first, _ in first }
            )
            let others = try present.filter { id in
                let messageID = removal.messageIDs[id]
                if let messageIDs = known[id], messageIDs.first != messageID { return true }
                if messageID.flatMap(DraftToken.read) != nil { return false }
                // It is another program's: this draft, or one whose removal was handed over to it.
                let foreignID = DraftToken.ofForeignDraft(id)
                if foreignID == draftID { return false }
                return try !(db.draftDocument(foreignID)?.job.handedOver ?? []).contains(id)
            }
            return Set(others)
        }
    }

    func findVanished(_ document: DraftDocument) async throws {
        let requests = try await requests(document)
        let versions = document.job.saved.map { [$0.emailID] } ?? []
        let search = try await search(requests, document.id, of: document.job, versions: versions)
        var found = search.mails
        // A search may not know the version. Saved again each time, the draft would be there many times.
        for version in versions where !search.missing.contains(version) {
            guard !found.contains(where: { $0.id == version }) else { continue }
            let place = try await place(requests, document.id)
            let mail = try DraftAnswers.mail(try await call(requests.mail(version)), version, in: place)
            if let mail { found.append(mail) }
        }
        // What another device has sent isn't this text.
        if document.isSentElsewhere { found.removeAll(where: \.isForSending) }
        var job = document.job
        // Without the document, they would be drafts for good. The next step searches again.
        if !job.foundVanished(found), !job.leftovers.isEmpty {
            return try await destroy(document, DraftJob.distinct(job.leftovers))
        }
        let (id, now) = (document.id, now)
        let unused = try await store.write { [found] writer -> Set<String> in
            guard var document = try writer.db.draftDocument(id),
                document.job.next(at: now, lacksUploads: false) == .findVanished
            else { return [] }
            let isKept = document.job.foundVanished(found) || document.showReplacedText(at: now)
            if isKept {
                try writer.put(document)
                return []
            }
            try writer.remove(DeviceRecordKind.draft, [id])
            return document.filesOnDevice
        }
        files.remove(unused, of: id)
    }
}

extension DraftRefusal {
    /// The refusal of a request to save as a whole.
    fileprivate init(refusing error: MethodError) {
        switch error.type {
        case "accountReadOnly", "forbidden": self.init(.forbidden, "You may not write in this account.")
        case "requestTooLarge": self.init(.tooLarge, DraftAnswers.tooLarge)
        default: self.init(.other, "The server refuses to save the draft (\(error.type)). \(error.description ?? "")")
        }
    }
}
