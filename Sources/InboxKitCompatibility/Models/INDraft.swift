public import Foundation
public import InboxMail
public import InboxMailViews
import Replica

/// The progress of a draft on its way to the recipients.
public enum INDraftState: Hashable, Sendable {
    /// The draft is being written. If the server refuses to save or remove it, `value.state` has the reason.
    case unsent
    /// The draft is on its way: it waits, its files are being uploaded, or the server has been asked to send it.
    case sending
    /// The draft wasn't sent, or it can't be known whether it was: `value.state` has the reason. It can be sent again,
    /// unless this version of the app can't read it.
    case sendingFailed
    /// The server has accepted it for delivery.
    case sent

    init(_ state: DraftState) {
        self =
            switch state {
            case .unsaved(let reason) where reason.code == .unreadable: .sendingFailed
            case .draft, .unsaved: .unsent
            case .refused(let refusal) where refusal.code == .notDiscarded: .unsent
            case .waiting, .uploading, .sending: .sending
            case .refused, .unknown: .sendingFailed
            case .sent: .sent
            }
    }
}

/// A mail that is being written.
///
/// Its properties are changed in memory, and ``save()`` keeps them: on this device before an awaited call returns, and
/// some seconds later on the server. ``send()`` keeps them too, sends the mail once, and waits for a network as long as
/// it takes. Calls without `await` are performed in the order in which they are made, each with the properties of the
/// time of the call. The id stays the same, however often the draft is saved.
public final class INDraft: INModelObject, INRecordObject {
    /// The type over which predicates and sort descriptors are written.
    public typealias Record = MailDraft
    /// A closure that receives the outcome of an action: whether it succeeded, and the error if not.
    public typealias Callback = @MainActor (Bool, (any Error)?) -> Void

    private var live: LiveObject<MailDraft>?
    private var draft: MailDraft
    /// The stored state, which changes also while there are changes in memory.
    private var storedState: DraftState
    /// The number of changes in memory, to know whether one was made during a save.
    private var changes = 0
    /// The number of changes that are stored.
    private var storedChanges = 0
    /// Whether the draft was stored before. It is followed (``live``) some time after that.
    private var isStored = false
    /// The number of actions that haven't ended. Meanwhile no other text is shown: they would replace it by this one.
    private var actions = 0
    /// The number of files that couldn't be added.
    private var failedFiles = 0
    /// The error of the last of them.
    private var fileError: (any Error)?
    private var progress: [String: Double] = [:]
    private var progressTask: Task<Void, Never>?
    private var screens: [Screen] = []

    /// A screen that writes the draft. Its editor may outlive it, until all that it was given is stored.
    private struct Screen {
        weak var model: ComposeModel?
        weak var editor: DraftEditor?
    }

    /// Creates a new draft. It is kept once it is saved.
    public convenience init(in namespace: INNamespace) { self.init(namespace.mail.newDraft(), in: namespace) }

    /// Creates a draft that replies to the latest mail of a thread and goes to the participants without the person,
    /// each once: to the authors of that mail, and as a copy to its recipients and to those of the earlier mails. It is
    /// kept once it is saved.
    ///
    /// Drafts of the thread, and mails that are only in trash or junk, have no participants; such a mail is answered
    /// only if there is no other. An author who asks for replies at another address gets the reply there.
    ///
    /// - Throws: `MailError`: `invalidArgument` if no mail of the thread is on this device, `storage`, `closed`.
    public convenience init(in namespace: INNamespace, inReplyTo thread: INThread) async throws {
        guard let latest = try await namespace.mail.latestMessage(inThread: thread.ID) else {
            throw MailError(.invalidArgument, "No mail of the thread is on this device.")
        }
        let messages = try await namespace.mail.messages(inThread: thread.ID)
        let uncounted = Set(namespace.mailboxes.filter { $0.role == .trash || $0.role == .junk }.map(\.id))
        let participants = messages.filter { !$0.isDraft && !$0.mailboxIDs.isSubset(of: uncounted) }
            .flatMap { ($0.replyTo.isEmpty ? $0.from : $0.replyTo) + $0.to + $0.cc }
        self.init(try await namespace.mail.replyAll(to: latest.id, and: participants), in: namespace)
    }

    /// - Parameter draft: A draft that isn't stored yet.
    init(_ draft: MailDraft, in namespace: INNamespace) {
        self.draft = draft
        storedState = draft.state
        super.init(id: draft.id, in: namespace)
        namespace.add(self)
        observeUploads()
    }

    init(_ live: LiveObject<MailDraft>, in namespace: INNamespace) {
        self.live = live
        draft = live.value
        storedState = live.value.state
        isStored = true
        super.init(id: live.id, in: namespace)
        observe(live)
        observeUploads()
    }

    deinit { progressTask?.cancel() }

    // MARK: - Values

    /// The draft in `InboxMail`, with the changes that aren't saved yet and properties that InboxKit doesn't have.
    public var value: MailDraft { draft }
    /// The progress of the draft on its way to the recipients.
    public var state: INDraftState { INDraftState(storedState) }
    /// Whether the draft was removed without being sent: by ``delete()``, in another window or on another device. Its
    /// ``state`` is `unsent` then.
    public private(set) var isDeleted = false
    /// Whether the text is on this device (``reload()``), and the draft exists: it is gone when it is deleted, and when
    /// the sent mail has taken its place.
    public func isDataAvailable() -> Bool { draft.isComplete && !(live?.isGone ?? false) }
    /// Whether there are changes that ``save()`` would keep.
    public var hasUnsavedChanges: Bool { changes != storedChanges }

    /// The subject.
    public var subject: String {
        get { draft.subject }
        set { change { $0.subject = newValue } }
    }
    /// The text. Once it is changed, the draft has no HTML, which would still have the earlier text: of a reply to a
    /// mail with HTML, the quotation's text is kept.
    public var body: String {
        get { draft.text }
        set {
            change {
                if $0.html != nil, $0.text != newValue { $0.html = nil }
                $0.text = newValue
            }
        }
    }
    /// The recipients.
    public var to: [EmailAddress] {
        get { draft.to }
        set { change { $0.to = newValue } }
    }
    /// The recipients of a copy (Cc).
    public var cc: [EmailAddress] {
        get { draft.cc }
        set { change { $0.cc = newValue } }
    }
    /// The recipients of a blind copy (Bcc), hidden from the others.
    public var bcc: [EmailAddress] {
        get { draft.bcc }
        set { change { $0.bcc = newValue } }
    }
    /// The sender; empty for the account's default one.
    public var from: [EmailAddress] {
        get { draft.from.map { [$0] } ?? [] }
        set { change { $0.from = newValue.first } }
    }
    /// The beginning of the text.
    public var snippet: String { draft.snippet }
    /// The time at which the draft was last saved.
    public var date: Date { draft.updatedAt }
    /// The id of the thread that the draft belongs to; nil for a new conversation that the server doesn't have yet.
    public var threadID: String? { draft.threadID }
    /// The attachments, each with its ``INFile/uploadProgress``. A change of the progress is posted too.
    public var files: [INFile] {
        draft.attachments.filter { !$0.isInline }.map { attachment in
            INFile(attachment, ofDraft: ID, namespace.mail, progress: state == .sent ? 1 : progress[attachment.id])
        }
    }

    /// Changes a property in memory, and posts the change.
    private func change(_ body: (inout MailDraft) -> Void) {
        let before = draft
        body(&draft)
        guard draft != before else { return }
        changes += 1
        notifyOfChange()
    }

    // MARK: - The stored draft

    private func observeUploads() {
        let progress = namespace.mail.uploadProgress(ofDraft: ID)
        progressTask = Task { [weak self] in
            for await value in progress { self?.show(value) }
        }
    }

    private func show(_ progress: [String: Double]) {
        // The last fraction stays until the record says that the file is uploaded, or the next attempt begins at 0.
        let merged = self.progress.merging(progress) { $1 }
        guard merged != self.progress else { return }
        self.progress = merged
        notifyOfChange()
    }

    override func recordDidChange() {
        if let live, !live.isGone, !live.value.isOlder(than: draft) {
            storedState = live.value.state
            // The server refuses to remove it.
            if case .refused(let refusal) = storedState, refusal.code == .notDiscarded { isDeleted = false }
            if showsStored { adopt(live.value) }
        }
        if live?.isGone ?? false, !isDeleted { Task { await readOutcome() } }
        notifyOfChange()
    }

    /// Shows the outcome of a draft that is gone: it was sent, or discarded.
    private func readOutcome() async {
        let outcome: DraftOutcome?
        do {
            outcome = try await namespace.mail.outcome(ofDraft: ID)
        } catch {
            // The mail was closed, such as by a sign-out.
            return
        }
        guard live?.isGone ?? false, !isDeleted else { return }
        switch outcome {
        case .sent: storedState = .sent
        case .discarded, nil: didDelete()
        case .pending: return
        }
        notifyOfChange()
    }

    /// Whether the stored draft, such as another window's text, may replace the shown one.
    private var showsStored: Bool { !hasUnsavedChanges && actions == 0 }

    /// Shows the stored draft. A text that isn't on this device never replaces a shown one.
    private func adopt(_ stored: MailDraft) {
        if stored.isComplete || !draft.isComplete { draft = stored }
    }

    /// Returns the stored draft with the texts and recipients of another value, for the next save. A text that wasn't
    /// on this device replaces none.
    private func next(_ content: MailDraft) -> MailDraft { content.isComplete ? draft.with(content) : content }

    /// Ends an action, and shows the draft that it has stored.
    ///
    /// - Parameter changes: The number of the last change that was stored.
    private func didStore(_ stored: MailDraft, _ changes: Int) async throws {
        actions -= 1
        draft = changes == self.changes ? stored : stored.with(draft)
        storedChanges = max(storedChanges, changes)
        (storedState, isStored, isDeleted) = (stored.state, true, false)
        try await followRecord()
    }

    /// Shows the draft that a screen has stored.
    ///
    /// - Parameters:
    ///   - stored: The draft.
    ///   - given: The number of the last change that the screen began with.
    private func screenDidStore(_ stored: MailDraft, _ given: Int) {
        guard !stored.isOlder(than: draft) else { return }
        storedChanges = max(storedChanges, given)
        (storedState, isStored, isDeleted) = (stored.state, true, false)
        // Later changes are another text. To save them keeps the screen's beside it.
        if showsStored { draft = stored }
        notifyOfChange()
        if live == nil { Task { try? await followRecord() } }
    }

    /// Observes the stored draft from now on, and shows its progress.
    private func followRecord() async throws {
        if live == nil {
            let found = try await namespace.mail.liveDraft(ID)
            // Another call may have come first.
            if live == nil, let found {
                live = found
                observe(found)
            }
        }
        try await readRecord()
        notifyOfChange()
    }

    /// Shows the progress of the draft since it was stored. A live object that lags behind posts it later; one that was
    /// ahead has posted it already.
    private func readRecord() async throws {
        let id = ID
        var (before, current): (MailDraft?, MailDraft?)
        repeat {
            before = live?.value
            current = try await namespace.mail.drafts(Query(where: #Predicate { $0.id == id })).first
        } while live?.value != before
        guard let current, !current.isOlder(than: draft) else { return }
        storedState = current.state
        if showsStored { adopt(current) }
    }

    /// Returns an action on the draft as it is at the time of the call.
    private func action(
        _ body: @escaping @Sendable (Mail, MailDraft) async throws -> MailDraft
    ) -> @Sendable (Mail) async throws -> Void {
        let (content, changes) = (draft, changes)
        actions += 1
        return { mail in
            let stored: MailDraft
            do {
                stored = try await body(mail, await self.next(content))
            } catch {
                await self.actionFailed()
                throw error
            }
            try await self.didStore(stored, changes)
        }
    }

    /// Ends an action that has stored nothing, and shows what wasn't shown meanwhile.
    private func actionFailed() {
        actions -= 1
        recordDidChange()
    }

    /// Fetches a text that another device has written and that isn't on this one, and posts the change.
    ///
    /// - Throws: As `Mail.draft(id:)`.
    public func reload() async throws {
        guard let stored = try await namespace.mail.draft(id: ID), !hasUnsavedChanges, stored != draft,
            actions == 0 || !draft.isComplete
        else { return }
        draft = stored
        notifyOfChange()
    }

    /// Returns the state of a screen that writes this draft, with the changes that aren't saved yet. `ComposeScreen`
    /// shows it, and in UIKit `INComposeViewController`.
    ///
    /// The screen stores and sends the text, with these changes. This object follows.
    public func composeModel() -> ComposeModel {
        let model = ComposeModel(.draft(draft), in: namespace.mail)
        // A text that isn't on this device, or on its way to the recipients, is read without these changes.
        let given = draft.isComplete && draft.isEditable ? changes : storedChanges
        model.didStore = { [weak self] stored in self?.screenDidStore(stored, given) }
        // The screen may have stored the draft after this value of it was made.
        if isStored, hasUnsavedChanges { model.storeGiven() }
        screens.removeAll { $0.model == nil && $0.editor == nil }
        screens.append(Screen(model: model, editor: model.editor))
        return model
    }

    // MARK: - Actions

    /// Adds a file, and saves the draft. Its upload begins by itself.
    ///
    /// - Throws: `MailError`: as `Mail.attach(_:to:type:contentID:)`.
    public func addAttachment(_ file: INFile) async throws { try await namespace.perform(adding(file)).value }
    /// Adds a file, and saves the draft. Its upload begins by itself.
    public func addAttachment(_ file: INFile, _ callback: Callback? = nil) { namespace.perform(callback, adding(file)) }

    private func adding(_ file: INFile) -> @Sendable (Mail) async throws -> Void {
        action { mail, draft in
            do {
                return try await file.attach(to: draft, mail)
            } catch {
                await self.fileFailed(error)
                throw error
            }
        }
    }

    private func fileFailed(_ error: any Error) {
        failedFiles += 1
        fileError = error
    }

    /// Removes one of the ``files``, and saves the draft.
    ///
    /// - Throws: As ``save()``.
    public func removeAttachment(_ file: INFile) async throws {
        try await namespace.perform(action { try await $0.removeAttachment(file.ID, from: $1) }).value
    }
    /// Removes one of the ``files``, and saves the draft.
    public func removeAttachment(_ file: INFile, _ callback: Callback? = nil) {
        namespace.perform(callback, action { try await $0.removeAttachment(file.ID, from: $1) })
    }

    /// Keeps the draft.
    ///
    /// - Throws: `MailError`: as `Mail.save(_:)`, such as `invalidArgument` if it is being sent.
    public func save() async throws { try await namespace.perform(action { try await $0.save($1) }).value }
    /// Keeps the draft.
    public func save(_ callback: Callback? = nil) { namespace.perform(callback, action { try await $0.save($1) }) }

    /// Keeps the draft, and sends it: after `MailConfiguration.undoSendInterval`, and once there is a network. Until
    /// then `namespace.mail.undoSend(draft.ID)` takes it back. ``state`` reports the outcome.
    ///
    /// If a file whose adding was begun before the call can't be added after it, the draft isn't sent.
    ///
    /// - Throws: `MailError`: as `Mail.send(_:later:)`, such as `invalidArgument` if there is no recipient; that of the
    ///   file.
    public func send() async throws { try await namespace.perform(sending()).value }
    /// Keeps the draft, and sends it.
    public func send(_ callback: Callback? = nil) { namespace.perform(callback, sending()) }

    private func sending() -> @Sendable (Mail) async throws -> Void {
        let failedBefore = failedFiles
        return action { mail, draft in
            if let error = await self.fileFailure(since: failedBefore) { throw error }
            return try await mail.send(draft)
        }
    }

    /// Returns the error of the last file that couldn't be added; nil if there is none since a number of them.
    private func fileFailure(since count: Int) -> (any Error)? { failedFiles > count ? fileError : nil }

    /// Removes the draft from all devices, and cancels its sending. The object stays, without data.
    ///
    /// What the screens of ``composeModel()`` haven't stored by the time of the call is removed too. They say that the
    /// draft was discarded, and what is written in them after that is a draft again.
    ///
    /// - Throws: `MailError`: as `Mail.discard(_:)`: `invalidArgument` if the server has been asked to send it.
    public func delete() async throws { try await namespace.perform(deletion()).value }
    /// Removes the draft from all devices, and cancels its sending.
    public func delete(_ callback: Callback? = nil) { namespace.perform(callback, deletion()) }

    private func deletion() -> @Sendable (Mail) async throws -> Void {
        let models = screens.compactMap { $0.model }
        let editors = screens.compactMap { $0.model?.editor ?? $0.editor }
        return { mail in try await self.discard(in: mail, editors, models) }
    }

    /// Discards the draft, with the changes of its screens that aren't stored yet. These would be a draft again.
    private func discard(in mail: Mail, _ editors: [DraftEditor], _ models: [ComposeModel]) async throws {
        for editor in editors { await editor.beginDiscarding() }
        do {
            let id = ID
            var isKept = live != nil
            // A draft that was never saved, by a screen either, exists in memory only.
            if !isKept { isKept = try await !mail.drafts(Query(where: #Predicate { $0.id == id })).isEmpty }
            if isKept {
                try await mail.discard(id)
                didDelete()
            }
        } catch {
            for editor in editors { editor.endDiscarding(isDiscarded: false) }
            throw error
        }
        for editor in editors { editor.endDiscarding(isDiscarded: true) }
        for model in models { model.wasDiscarded() }
    }

    private func didDelete() {
        isDeleted = true
        storedState = .draft
    }
}

extension MailDraft {
    /// Returns the draft with the texts and recipients of another value. The files stay.
    fileprivate func with(_ content: MailDraft) -> MailDraft {
        var draft = self
        (draft.identityID, draft.from) = (content.identityID, content.from)
        (draft.to, draft.cc, draft.bcc, draft.replyTo) = (content.to, content.cc, content.bcc, content.replyTo)
        (draft.subject, draft.text, draft.html) = (content.subject, content.text, content.html)
        return draft
    }
}
