import Foundation
import GRDB
import Groundwork
import MailComposing
import Replica

extension StoreWriter {
    /// Derives the drafts whose documents, versions or texts have changed.
    func deriveDrafts() throws {
        try readChangedDraftMails()
        let select = try db.cachedStatement(
            sql: """
                SELECT changedDraft.id, threadId FROM changedDraft
                    LEFT JOIN draft ON draft.\(RecordTable.id) = changedDraft.id
                """
        )
        let changed = try Row.fetchAll(select).map { (id: $0[0] as String, thread: $0[1] as String?) }
        guard !changed.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM changedDraft").execute()
        var threads = Set(changed.compactMap(\.thread))
        for id in changed.map(\.id) {
            let stored: DraftDocument? = storedDocuments.value(.draft, id)
            let document = try (stored ?? db.draftDocument(id)).flatMap(reconcile)
            let row = try db.draftRow(id, document)
            if let row {
                if let thread = row.threadId { threads.insert(thread) }
                try apply(.draft, id, derived: row.json)
            } else {
                try remove(RecordType.draft, [id])
            }
        }
        let note = try db.cachedStatement(sql: "INSERT INTO changedThread VALUES (?) ON CONFLICT DO NOTHING")
        for thread in threads { try note.execute(arguments: [thread]) }
    }

    /// Looks at the mails that are drafts, or were: notes them as versions of their drafts.
    private func readChangedDraftMails() throws {
        let ids = try String.fetchAll(db.cachedStatement(sql: "SELECT id FROM changedDraftMail"))
        guard !ids.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM changedDraftMail").execute()
        let noteOld = try db.cachedStatement(
            sql: "INSERT INTO changedDraft SELECT draftId FROM draftVersion WHERE emailId = ? ON CONFLICT DO NOTHING"
        )
        let noteNew = try db.cachedStatement(sql: "INSERT INTO changedDraft VALUES (?) ON CONFLICT DO NOTHING")
        let delete = try db.cachedStatement(sql: "DELETE FROM draftVersion WHERE emailId = ?")
        let insert = try db.cachedStatement(
            sql: "INSERT INTO draftVersion(emailId, draftId, receivedAt) VALUES (?, ?, ?)"
        )
        let trash = try StoreQuery(roles: [.trash]).fetch(db).first?.id
        for id in ids {
            try noteOld.execute(arguments: [id])
            try delete.execute(arguments: [id])
            // A draft in the trash is a mail like others.
            guard let mail = try db.mail(id), mail.isDraft, !mail.mailboxIDs.allSatisfy({ $0 == trash }) else {
                continue
            }
            let draftID = Self.draftID(of: mail)
            try insert.execute(arguments: [id, draftID, mail.receivedAt.milliseconds])
            try noteNew.execute(arguments: [draftID])
        }
    }

    /// The id of the draft that a mail is a version of.
    private static func draftID(of mail: MailMessage) -> String {
        mail.messageIDs.first.flatMap(DraftToken.read)?.token ?? DraftToken.ofForeignDraft(mail.id)
    }

    /// Makes the drafts due whose last change is too recent to be saved on the server by itself.
    func makeDraftsDue() throws {
        for id in try db.deviceRecordIDs(.draft) {
            guard var document = try db.draftDocument(id), document.job.order == nil, document.job.isDirty else {
                continue
            }
            document.job.editedAt = min(document.job.editedAt, now - DraftJob.savePause)
            try put(document)
        }
    }

    /// Looks at a draft that this device has saved and not changed since.
    ///
    /// If another device has replaced it, this device's document is removed, once the versions before its own are. One
    /// whose token may be spent (``DraftJob/isTokenSpent``) has the other device's text from then on. If its version is
    /// gone and there is none of another device, the outbox finds out whether it was sent, discarded or lost.
    ///
    /// - Returns: The document as it is stored now; nil if it was removed.
    private func reconcile(_ stored: DraftDocument) throws -> DraftDocument? {
        let id = stored.id
        var document = stored
        if case .sent(let emailID, _) = document.job.outcome, try db.mail(emailID) == nil {
            let expect = try db.cachedStatement(
                sql: "INSERT INTO awaitedSentMail(emailId, draftId) VALUES (?, ?) ON CONFLICT DO NOTHING"
            )
            try expect.execute(arguments: [emailID, id])
        }
        if stored.job.lostSavings != nil {
            let late = try db.draftVersions(id, document).filter { version in
                stored.job.isLostSaving(version.messageIDs.first, date: version.sentAt?.milliseconds)
                    && !stored.job.hasHandled(version.id)
            }
            if !late.isEmpty {
                document.job.replace(late: late.map(\.id))
                document = try put(document)
            }
        }
        if document.job.isDiscarded, document.job.removedAt != nil,
            try db.draftVersionIDs(id).allSatisfy({ !(document.job.removed ?? []).contains($0) })
        {
            document.job.removedAt = nil
            return try put(document)
        }
        if document.job.isDiscarded, let refusal = document.job.discardRefusal {
            let isOnDevice = try !db.draftVersions(id, document).isEmpty
            guard isOnDevice != refusal.isSeen else { return document }
            // Such as by another device since.
            if isOnDevice { document.job.discardRefusal?.isSeen = true } else { document.job.discardRefusal = nil }
            return try put(document)
        }
        guard document.job.isIdle, let saved = document.job.saved else { return document }
        let versions = try db.draftVersions(id, document)
        if let version = versions.first(where: { $0.id == saved.emailID }) {
            // A request to save that the network repeated.
            let repeats = try versions.filter { other in
                try !(document.job.unremovable ?? []).contains(other.id) && db.isRepeat(other, of: version)
            }.map(\.id)
            if !repeats.allSatisfy(document.job.leftovers.contains) {
                document.job.leftovers += repeats.filter { !document.job.leftovers.contains($0) }
                try put(document)
            }
            guard !saved.isSeen || document.job.isVanished else { return document }
            document.job.saved?.isSeen = true
            document.job.saved?.receivedAt = version.receivedAt.milliseconds
            document.job.isVanished = false
            return try put(document)
        } else if saved.isSeen, let other = versions.first(where: { !document.job.hasHandled($0.id) }) {
            // Texts that only this device has stay, beside the other device's. Without the document, the versions that
            // it has to remove would be drafts for good.
            guard document.replacedTexts.isEmpty, document.job.leftovers.isEmpty else { return document }
            // No other device knows that a mail with the token may have been sent.
            if document.hasSpentToken, !document.isSentElsewhere, !other.isForSending {
                // The body comes with a later sync.
                guard let text = try db.draftText(of: other) else { return document }
                document.text = text
                let time = other.receivedAt.milliseconds
                document.job.adopt(other.id, receivedAt: time, isForSending: false, at: now)
                return try put(document)
            }
            try remove(DeviceRecordKind.draft, [id])
            return nil
        } else if saved.isSeen, !document.job.isVanished {
            document.job.isVanished = true
            return try put(document)
        }
        return document
    }

    /// Stores a document. A discarded one, of which the server holds no mail, is stored without the texts of other
    /// windows.
    ///
    /// - Returns: The document as it is stored.
    @discardableResult
    func put(_ document: DraftDocument) throws -> DraftDocument {
        var document = document
        document.settleDiscarding()
        try put(.draft, document.record(at: now), value: document)
        return document
    }
}

extension Database {
    /// Returns a draft's document; nil if this device has none that it can read.
    func draftDocument(_ id: String) throws -> DraftDocument? {
        try deviceRecord(.draft, id).flatMap(DraftDocument.init)
    }

    /// Returns a draft's document, which is about to be replaced; nil if this device has none.
    ///
    /// - Throws: `MailError` `unreadableDraft` if there is one that can't be read, such as one that a later version has
    ///   stored.
    func replaceableDraftDocument(_ id: String) throws -> DraftDocument? {
        guard let record = try deviceRecord(.draft, id) else { return nil }
        guard let document = DraftDocument(record) else { throw MailError(.unreadableDraft, DraftDocument.unreadable) }
        return document
    }

    /// Returns the ids of the drafts that are shown as ones that can't be read, and that this version can read.
    func draftsToReadAgain() throws -> [String] {
        let select = try cachedStatement(sql: "SELECT \(RecordTable.id) FROM draft WHERE state = 'unsaved'")
        return try String.fetchAll(select).filter { id in
            let shown = try StoreQuery(Query<MailDraft>(where: #Predicate { $0.id == id }), .draft).fetch(self).first
            guard shown?.basis == .document(revision: DraftDocument.unreadableRevision) else { return false }
            return try draftDocument(id) != nil
        }
    }

    /// Returns the id of the draft that a mail is a version of; nil if it is none.
    func draftID(ofVersion id: String) throws -> String? {
        let select = try cachedStatement(sql: "SELECT draftId FROM draftVersion WHERE emailId = ?")
        return try String.fetchOne(select, arguments: [id])
    }

    func hasDraft(inThread id: String) throws -> Bool {
        let select = try cachedStatement(sql: "SELECT 1 FROM draft WHERE threadId = ? AND state <> 'sent' LIMIT 1")
        return try Int.fetchOne(select, arguments: [id]) != nil
    }

    func mail(_ id: String) throws -> MailMessage? {
        try StoreQuery(Query(where: #Predicate { $0.id == id }), .email).fetch(self).first
    }

    /// Returns those of some mails that are on this device.
    func mails(_ ids: [String]) throws -> [MailMessage] {
        try StoreQuery(Query(where: #Predicate { ids.contains($0.id) }), .email).fetch(self)
    }

    /// Returns a draft's versions on the server that are on this device, the latest first, without those that the
    /// server has removed.
    ///
    /// - Parameter document: The draft's document.
    func draftVersions(_ id: String, _ document: DraftDocument?) throws -> [MailMessage] {
        let removed = Set(document?.job.removed ?? [])
        return try draftVersionIDs(id).filter { !removed.contains($0) }.compactMap { try mail($0) }
    }

    /// Returns the ids of a draft's versions on this device, the latest first.
    fileprivate func draftVersionIDs(_ id: String) throws -> [String] {
        let select = try cachedStatement(
            sql: "SELECT emailId FROM draftVersion WHERE draftId = ? ORDER BY receivedAt DESC, emailId DESC"
        )
        return try String.fetchAll(select, arguments: [id])
    }

    /// Returns the ids of the drafts' versions whose texts aren't on this device, or are cut.
    ///
    /// - Parameter maxBodySize: The size up to which the texts of mails are stored, in bytes. Smaller bodies aren't
    ///   read.
    func draftVersionsWithoutText(maxBodySize: Int, limit: Int) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT emailId FROM draftVersion LEFT JOIN emailBody ON emailBody.id = emailId
                        WHERE emailBody.id IS NULL OR (
                            emailBody.size >= ? AND EXISTS (
                                SELECT 1 FROM json_each(CAST(emailBody.json AS TEXT), '$.bodyValues')
                                    WHERE json_extract(value, '$.isTruncated')
                            )
                        )
                        ORDER BY receivedAt DESC LIMIT ?
                    """
            ),
            arguments: [maxBodySize, limit]
        )
    }

    /// Returns the sizes of mails, in bytes.
    func mailSizes(_ ids: [String]) throws -> [String: Int] {
        let select = try cachedStatement(sql: "SELECT size FROM email WHERE \(RecordTable.id) = ?")
        return try ids.reduce(into: [:]) { sizes, id in
            sizes[id] = try Int.fetchOne(select, arguments: [id]).map(MailFile.bounded)
        }
    }

    /// Returns the shown form of a draft; nil if there is none.
    ///
    /// This device's text is shown while the server lacks it or while it waits to be sent; otherwise the latest
    /// version.
    ///
    /// - Parameter stored: The draft's document; nil if this device has none.
    fileprivate func draftRow(_ id: String, _ stored: DraftDocument?) throws -> DraftRow? {
        var document = stored
        var versions = try draftVersions(id, document)
        let unremovable = Set(document?.job.unremovable ?? [])
        var refusal: DraftRefusal?
        if let discarded = document, discarded.job.isDiscarded {
            guard let reason = discarded.job.discardRefusal?.reason, let latest = versions.first else { return nil }
            let isLast = discarded.job.editedAt >= latest.receivedAt.milliseconds
            if isLast, discarded.hasUnsavedText {
                let details = DraftRow.Details(
                    text: discarded.text,
                    state: .refused(reason),
                    basis: .document(revision: discarded.job.revision),
                    versions: versions.map { DraftRow.Version($0, unremovable) },
                    isComplete: true
                )
                return DraftRow(id: id, updatedAt: discarded.job.editedAt, details)
            }
            (document, refusal) = (nil, reason)
        }
        // One that can't be read is shown if something would be lost with it, or the server may send it. It is read
        // again once it changes, and once another version of the app has started.
        if stored == nil, let record = try deviceRecord(.draft, id),
            record.isUnsent || DraftDocument.mayBeAtServer(record)
        {
            let text = DraftDocument.readableText(of: record)
            let replaced = DraftDocument.readableReplacedTexts(of: record)
            let details = DraftRow.Details(
                text: text ?? DraftText(),
                state: .unsaved(DraftRefusal(.unreadable, DraftDocument.unreadable)),
                basis: .document(revision: DraftDocument.unreadableRevision),
                versions: versions.map { DraftRow.Version($0, unremovable) } + replaced.map(DraftRow.Version.init),
                isComplete: text != nil
            )
            return DraftRow(id: id, updatedAt: record.recordedAt ?? 0, details)
        }
        if let job = document?.job, case .sent(let emailID, _) = job.outcome, !job.hasSentNotice,
            let mail = try mail(emailID), !mail.isDraft
        {
            // The mail itself takes the draft's place. A later text of another device is a draft.
            let old = Set(document?.job.ownVersions ?? [])
            versions.removeAll { old.contains($0.id) }
            document = nil
        }
        // The sent mail, which the server hasn't moved yet, is no other version.
        if case .sent(let emailID, _) = document?.job.outcome { versions.removeAll { $0.id == emailID } }
        // The text that this device is sending isn't another device's.
        if let job = document?.job, job.attempt != nil || job.hold != nil || job.released != nil {
            versions.removeAll { $0.messageIDs.first.flatMap(DraftToken.read)?.isForSending ?? false }
        }
        let own = Set(document?.job.ownVersions ?? [])
        let others = versions.filter { !own.contains($0.id) }
        let replaced = document?.replacedTexts.map(DraftRow.Version.init) ?? []
        if let document, document.isShown(over: others, all: versions) {
            let details = DraftRow.Details(
                text: document.text,
                state: document.state,
                basis: .document(revision: document.job.revision),
                versions: others.map { DraftRow.Version($0, unremovable) } + replaced,
                isComplete: true,
                copyRefusal: document.job.copyRefusal,
                holder: document.holder,
                isBeingTakenBack: document.job.isBeingTakenBack ? true : nil,
                moveRefusal: document.job.moveRefusal
            )
            return DraftRow(id: id, updatedAt: document.job.editedAt, details)
        }
        guard let shown = others.first ?? versions.first else { return nil }
        let text = try draftText(of: shown)
        let kept = versions.filter { version in
            version.id != shown.id
                && (!own.contains(version.id) || version.id == document?.job.saved?.emailID)
        }
        let details = DraftRow.Details(
            text: try text ?? draftText(of: shown, nil),
            state: refusal.map(DraftState.refused) ?? .draft,
            basis: .version(emailID: shown.id),
            versions: kept.map { DraftRow.Version($0, unremovable) } + replaced,
            isComplete: text != nil
        )
        return DraftRow(id: id, updatedAt: shown.receivedAt.milliseconds, details)
    }

    /// Returns the other texts of a draft whose own text on this device is the one that is shown.
    func otherVersions(of document: DraftDocument) throws -> [DraftVersion] {
        let own = Set(document.job.ownVersions)
        let others = try draftVersions(document.id, document).filter { !own.contains($0.id) }
        let unremovable = Set(document.job.unremovable ?? [])
        let versions = others.map { DraftRow.Version($0, unremovable) }
        return (versions + document.replacedTexts.map(DraftRow.Version.init)).map(DraftVersion.init)
    }

    /// Returns the outcome of a draft; nil if there is no trace of it.
    func draftOutcome(_ id: String) throws -> DraftOutcome? {
        let document = try draftDocument(id)
        // A later text of another device is shown as a draft, and doesn't change the mail that this one has sent.
        if case .sent(let emailID, _) = document?.job.outcome { return .sent(messageID: emailID) }
        let shown = try StoreQuery(Query<MailDraft>(where: #Predicate { $0.id == id }), .draft).fetch(self).first
        if let shown, shown.state != .sent { return .pending(shown.state) }
        if document?.job.isDiscarded ?? false { return .discarded }
        let mails = try mails(withDraftToken: document?.job.token ?? id)
        if let sent = mails.first(where: { !$0.isDraft }) { return .sent(messageID: sent.id) }
        // A draft that isn't shown is in the trash.
        return mails.isEmpty ? nil : .discarded
    }

    /// Looks for mails that show what has become of the drafts of which it isn't known whether they were sent.
    ///
    /// - Parameter last: The last look; nil for none. What hasn't changed since isn't read again.
    /// - Returns: The look, and the drafts with the mails on this device that have their `Message-ID`s and are no
    ///   drafts.
    func mailsOfUnknownOutcomes(
        since last: UnknownOutcomes?
    ) throws -> (look: UnknownOutcomes, found: [(id: String, mails: [String])]) {
        let look = try unknownOutcomes(since: last)
        guard !look.ids.isEmpty else { return (look, []) }
        let changed = try last.flatMap { last in
            try QueryTable<MailMessage>.email.changes(self, after: last.revision)?.changed.map(\.record)
        }
        // Where no mail has changed, no draft is read for it: its text may be long.
        let candidates = changed?.isEmpty ?? false ? look.unread : look.ids
        let found = try candidates.sorted().compactMap { id -> (id: String, mails: [String])? in
            guard let job = try draftDocument(id)?.job, case .unknown(let since) = job.outcome else { return nil }
            // The mail is among the sent ones because the server held it.
            if job.isSentElsewhere ?? false { return nil }
            let tokens = [job.token, job.spentToken].compactMap { $0 }
            let undecided = job.undecidedMails ?? []
            var mails: [MailMessage]
            if let changed, !look.unread.contains(id) {
                mails = changed.filter { mail in
                    undecided.contains(mail.id) || tokens.contains { mail.isOfDraft($0) }
                }
            } else {
                // A day for the clocks of device and server.
                let begin = min(since, job.tried?.firstRequestAt.milliseconds ?? since) - 86_400_000
                mails = try self.mails(undecided)
                for token in tokens { mails += try self.mails(withDraftToken: token, since: begin) }
            }
            let ids = DraftJob.distinct(mails.filter { !$0.isDraft }.map(\.id))
            return ids.isEmpty ? nil : (id: id, mails: ids)
        }
        return (look, found)
    }

    private func unknownOutcomes(since last: UnknownOutcomes?) throws -> UnknownOutcomes {
        let revision = try revision()
        guard let last, let changes = try QueryTable<MailDraft>.draft.changes(self, after: last.revision) else {
            let select = try cachedStatement(sql: "SELECT \(RecordTable.id) FROM draft WHERE state = 'unknown'")
            let ids = Set(try String.fetchAll(select))
            return UnknownOutcomes(revision: revision, ids: ids, unread: ids)
        }
        let drafts = changes.changed.map(\.record)
        let changed = Set(drafts.map(\.id) + changes.removed)
        let unknown = drafts.filter { $0.state.name == "unknown" }.map(\.id)
        return UnknownOutcomes(
            revision: revision,
            ids: last.ids.subtracting(changed).union(unknown),
            unread: last.unread.subtracting(changed).union(unknown)
        )
    }

    /// Returns the mails whose `Message-ID` has a draft's token: sent ones, and drafts.
    ///
    /// - Parameter time: The time from which on they arrived, by the server's clock; nil to read all mails.
    private func mails(withDraftToken token: String, since time: Int? = nil) throws -> [MailMessage] {
        let isRecent = time == nil ? "" : "receivedAt >= ? AND "
        var arguments: StatementArguments = [token]
        if let time { arguments = [time, token] }
        return try String.fetchAll(
            cachedStatement(
                sql: "SELECT \(RecordTable.id) FROM email WHERE \(isRecent)instr(\(RecordTable.json), ?)"
            ),
            arguments: arguments
        ).compactMap { try mail($0) }.filter { $0.isOfDraft(token) }
    }

    /// Whether a version is a duplicate of another one. A version that another program has made may share the
    /// `Message-ID` and even the size, so both texts have to be on this device, complete and equal.
    func isRepeat(_ other: MailMessage, of version: MailMessage) throws -> Bool {
        guard other.id != version.id, other.messageIDs == version.messageIDs, other.size == version.size
        else { return false }
        guard let text = try draftText(of: version), let otherText = try draftText(of: other) else { return false }
        return otherText.isEqual(to: text)
    }

    /// Returns the text of a version; nil if its body isn't on this device, or is truncated: saving it would lose the
    /// rest.
    func draftText(of version: MailMessage) throws -> DraftText? {
        guard let stored = try storedBody(of: version.id), let json = try? JSON(parsing: stored.text) else {
            return nil
        }
        let body = MailBody(json)
        return body.isTruncated ? nil : try draftText(of: version, body)
    }

    /// Returns the text of a version with its identity, and with the mail that it answers or forwards, as the device
    /// has them that has written it.
    ///
    /// - Parameter body: Its body; nil if it isn't on this device.
    private func draftText(of version: MailMessage, _ body: MailBody?) throws -> DraftText {
        var text = DraftText(version, body: body)
        if let from = text.from?.address,
            let identity = try identities().first(where: { EmailAddress(email: $0.email).isSame(as: from) })
        {
            text.identityID = identity.id
            // Its own name and address. Another identity may be chosen instead.
            if from.name ?? "" == identity.name { text.from = nil }
        }
        let isForwarded = SubjectPrefix.isForwarded(version.subject)
        guard let id = version.inReplyTo.first ?? (isForwarded ? version.references.last : nil) else { return text }
        let mails = try StoreQuery(inThread: version.threadID).fetch(self)
        let other = mails.first { !$0.isDraft && $0.messageIDs.contains(id) }?.id
        if isForwarded { text.forwardedMessageID = other } else { text.answeredMessageID = other }
        return text
    }
}

extension MailMessage {
    /// Whether its `Message-ID` has a draft's token: a sent mail's, or a draft's.
    fileprivate func isOfDraft(_ token: String) -> Bool {
        guard let read = messageIDs.first.flatMap(DraftToken.read), read.token == token else { return false }
        return isDraft || read.isForSending
    }
}

extension DraftDocument {
    /// The draft's state, as the app sees it.
    var state: DraftState {
        switch job.outcome {
        case .refused(let refusal): return .refused(refusal)
        case .unknown(let since): return .unknown(since: Date(milliseconds: since), attempts: job.tried)
        case .sent: return .sent
        case nil: break
        }
        if let attempt = job.attempt {
            return attempt.heldUntil.map { .waiting(until: Date(milliseconds: $0)) } ?? .sending
        }
        if let hold = job.hold { return .waiting(until: Date(milliseconds: hold.due)) }
        if let released = job.released, !released.isCancelled { return .sending }
        guard case .send(let time) = job.order else { return job.unsavedReason.map(DraftState.unsaved) ?? .draft }
        if job.isUploading {
            let total = text.files.reduce(0) { $0 + Double(MailFile.bounded($1.size)) }
            let done = text.files.reduce(0) { $0 + ($1.blobID == nil ? 0 : Double(MailFile.bounded($1.size))) }
            return .uploading(total == 0 ? 0 : done / total)
        }
        return .waiting(until: Date(milliseconds: max(time, job.retry?.notBefore ?? 0)))
    }

    /// Whether this device's text is shown, and not a version of another device.
    ///
    /// - Parameters:
    ///   - others: The versions of other devices, the latest first.
    ///   - all: All versions.
    func isShown(over others: [MailMessage], all: [MailMessage]) -> Bool {
        // A version that the server refuses to remove is older than the text that has taken its place.
        guard job.isIdle, let saved = job.saved, let other = others.first(where: { !job.hasHandled($0.id) })
        else { return true }
        let version = all.first { $0.id == saved.emailID }
        // It was on this device, and another device has replaced it since.
        if version == nil, saved.isSeen { return false }
        // Until the saved version is on this device, the clocks of device and server are compared.
        let own = version?.receivedAt.milliseconds ?? job.editedAt
        // At the same time, the ids decide, as they do on other devices.
        return (own, saved.emailID) >= (other.receivedAt.milliseconds, other.id)
    }
}

extension DraftRow.Version {
    /// - Parameter unremovable: The ids of mails that the server refuses to remove.
    init(_ mail: MailMessage, _ unremovable: Set<String>) {
        self.init(
            id: mail.id,
            savedAt: mail.receivedAt.milliseconds,
            subject: mail.subject,
            snippet: mail.snippet,
            isUnremovable: unremovable.contains(mail.id) ? true : nil
        )
    }
}

extension DraftText {
    /// The text of a version.
    ///
    /// - Parameter body: Its body; nil if it isn't on this device.
    init(_ mail: MailMessage, body: MailBody?) {
        func addresses(_ list: [EmailAddress]) -> [Address] { list.map(Address.init) }
        self.init(
            threadID: mail.threadID,
            from: mail.from.first.map(Address.init),
            to: addresses(mail.to),
            cc: addresses(mail.cc),
            bcc: addresses(mail.bcc),
            replyTo: addresses(mail.replyTo),
            subject: mail.subject,
            text: body?.text ?? mail.snippet,
            html: body?.html,
            inReplyTo: mail.inReplyTo,
            references: mail.references
        )
        guard let body else { return }
        // Some programs mark the pictures within their HTML as attachments.
        let shown = body.attachments.contains { $0.contentID != nil } ? Set(body.shownFiles) : []
        add(body.inlineFiles + body.attachments, ofMail: mail.id) { $0.isInline || shown.contains($0) }
    }
}
