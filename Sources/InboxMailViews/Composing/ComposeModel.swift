public import Foundation
import Groundwork
public import InboxMail
import InboxViews
public import Observation
import Replica

/// A mail that a person is writing: the state of a screen with recipients, subject, text and files.
///
/// Changes are stored on this device within a second (`DraftEditor`), and survive the end of the app:
/// `ComposeStart.stored` opens it again. Sending checks the mail first (``review``), and can be undone for a while
/// (``undoSend()``). Without a network, or without a sign-in, everything works, and the mail is sent later.
///
/// ```swift
/// let model = ComposeModel(.reply(to: message.id), in: mail)
/// await model.waitUntilRead()
/// model.text = "Yes!"
/// await model.send()
/// // In SwiftUI: ComposeScreen(model)
/// ```
///
/// Call ``close()`` when the screen disappears.
@MainActor
@Observable
public final class ComposeModel: Identifiable {
    /// The progress of the mail.
    public internal(set) var phase = ComposePhase.loading
    /// The recipients.
    public let to: RecipientFieldModel
    /// The recipients of a copy.
    public let cc: RecipientFieldModel
    /// The recipients of a blind copy.
    public let bcc: RecipientFieldModel
    /// Whether the fields for copies are shown. They are from the beginning if the draft has any.
    public var showsCopies = false
    /// The question before the mail is sent, after ``send(later:)`` was called; nil for none.
    public internal(set) var review: ComposeReview?
    /// The last action's failure; nil after one that succeeded.
    public internal(set) var failure: ComposeFailure?
    /// Whether the person is being asked about discarding the draft.
    public internal(set) var isAskingToDiscard = false
    /// Whether the mail is being checked and ordered to be sent.
    public internal(set) var isSending = false
    /// The number of files that are being copied.
    public internal(set) var attachingCount = 0
    /// The names and addresses that the person can send with.
    public private(set) var identities: [MailIdentity] = []

    /// The account.
    public nonisolated let mail: Mail

    /// Called with the draft after each write that has stored it, also once the screen is gone.
    @ObservationIgnored package var didStore: (@MainActor (MailDraft) -> Void)? {
        didSet { editor?.didStore = didStore }
    }
    /// The draft as it is edited; nil until it is read.
    package private(set) var editor: DraftEditor?
    private var content = ComposeText("", html: nil)
    /// The reason for which an earlier order to send failed, until the next one.
    var refusal: DraftRefusal?
    /// The reason for which the draft isn't saved on the server; nil if it is, or will be.
    private var unsaved: DraftRefusal?
    /// The notice of an earlier order whose outcome isn't known; nil for none.
    var maybeSent: ComposeNotice?
    private var otherVersions: [DraftVersion] = []
    private var connection: ConnectionNotice?
    private var isUpdatedElsewhere = false
    private(set) var isDiscardedElsewhere = false
    private var uploaded: Set<String> = []
    private var progress: [String: Double] = [:]
    /// Whether this device has stored the draft.
    @ObservationIgnored private(set) var isStored = false
    /// Whether something was written.
    @ObservationIgnored var isTouched = false
    /// Whether all that was written was kept by ``close()``.
    @ObservationIgnored var isClosed = false
    /// The copying of files, each after the one before.
    @ObservationIgnored var attaching: Task<Void, Never>?
    /// The first failure of the files that are being attached.
    @ObservationIgnored var attachingFailure: ComposeFailure?
    /// Whether the mail began as a draft that may have been stored.
    var beginsStored: Bool {
        switch start {
        case .stored, .draft, .edit: true
        case .new, .reply, .replyAll, .forward: false
        }
    }
    /// Whether the mail began as a new one.
    var isNew: Bool { if case .new = start { true } else { false } }

    @ObservationIgnored private let start: ComposeStart
    @ObservationIgnored private let locale: Locale
    @ObservationIgnored private let loading = OwnedTask()
    @ObservationIgnored private let drafts = OwnedTask()
    @ObservationIgnored private let completing = OwnedTask()
    @ObservationIgnored private let uploads = OwnedTask()
    @ObservationIgnored private let connections = OwnedTask()

    /// Begins to write a mail. A draft is kept once something of it was changed.
    ///
    /// - Parameters:
    ///   - start: The initial content.
    ///   - mail: The account.
    ///   - locale: The language of the line above a quotation.
    public init(_ start: ComposeStart = .new, in mail: Mail, locale: Locale = .current) {
        (self.start, self.mail, self.locale) = (start, mail, locale)
        (to, cc, bcc) = (RecipientFieldModel(mail), RecipientFieldModel(mail), RecipientFieldModel(mail))
        bcc.isForBlindCopies = true
        to.changed = { [weak self] in self?.recipientsChanged() }
        cc.changed = { [weak self] in self?.recipientsChanged() }
        bcc.changed = { [weak self] in self?.recipientsChanged() }
        observeConnection()
        switch start {
        case .new: begin(mail.newDraft())
        case .draft(let draft) where draft.isComplete: begin(draft)
        default: load()
        }
    }

    /// Waits until the draft is read. A new mail can be written at once; what is written into any other one before it
    /// is read has no effect. A screen shows ``phase`` instead.
    ///
    /// - Returns: Whether the draft can be written. If not, ``phase`` has the reason.
    @discardableResult
    public func waitUntilRead() async -> Bool {
        if phase == .loading { await loading.task?.value }
        return phase == .writing
    }

    /// Tries again to read the draft.
    public func retry() {
        guard case .failed = phase else { return }
        phase = .loading
        load()
    }

    // MARK: - The mail

    /// The id of the draft; nil until it is read.
    public var draftID: String? { editor?.draft.id }
    /// The draft as it is written, with properties that the screen doesn't show; nil until it is read. Text and HTML
    /// are put together on each access, which takes time with a long quotation.
    public var draft: MailDraft? { editor?.written }
    /// The subject.
    public var subject: String {
        get { editor?.draft.subject ?? "" }
        set { change { $0.subject = newValue } }
    }
    /// The text that the person writes, above the quoted mail.
    public var text: String {
        get { content.own }
        set {
            guard newValue != content.own, phase == .writing, let editor else { return }
            content.own = newValue
            editor.setText(content)
            wasChanged()
        }
    }
    /// The text of the quoted mail; nil if there is none, or if it is part of ``text``.
    public var quotedText: String? { content.quoted }
    /// The id of the identity to send with; nil for the default one.
    public var identityID: String? {
        get { editor?.draft.identityID }
        // The chosen identity's name and address, and not those of the one before.
        set { change { ($0.identityID, $0.from) = (newValue, nil) } }
    }
    /// The files, without the pictures within a quoted mail.
    public var attachments: [ComposeAttachment] {
        guard let draft = editor?.draft else { return [] }
        let files = draft.attachments.filter { !$0.isInline || !content.hasHTML }
        return files.map { file in
            ComposeAttachment(file, isUploaded: uploaded.contains(file.id), progress: progress[file.id])
        }
    }
    /// Whether all that was written is kept on this device.
    public var isSaved: Bool { editor?.isSaved ?? true }
    /// The error for which the last change isn't kept on this device; nil if it is. The next change and ``keep()`` try
    /// again.
    public var savingError: MailError? { editor?.error }
    /// The fields for recipients, in order.
    var fields: [RecipientFieldModel] { [to, cc, bcc] }

    /// The facts that the person should know, the most important first.
    public var notices: [ComposeNotice] {
        guard phase == .writing else { return [] }
        var notices: [ComposeNotice] = []
        if let refusal { notices.append(.refused(refusal)) }
        if let unsaved { notices.append(.unsaved(unsaved)) }
        if let maybeSent { notices.append(maybeSent) }
        if !otherVersions.isEmpty { notices.append(.otherVersions(otherVersions)) }
        if isDiscardedElsewhere { notices.append(.discardedElsewhere) }
        if isUpdatedElsewhere { notices.append(.updatedElsewhere) }
        if content.losesFormatting { notices.append(.losesFormatting) }
        switch connection {
        case .offline: notices.append(.offline)
        case .signInNeeded: notices.append(.signInNeeded)
        case nil: break
        }
        return notices
    }

    /// Clears ``failure``.
    public func dismissFailure() { failure = nil }

    func change(_ body: (inout MailDraft) -> Void) {
        guard let editor, phase == .writing else { return }
        var draft = editor.draft
        body(&draft)
        guard draft != editor.draft else { return }
        editor.draft = draft
        wasChanged()
    }

    func wasChanged() {
        (isTouched, isClosed) = (true, false)
        (isUpdatedElsewhere, isDiscardedElsewhere) = (false, false)
    }

    private func recipientsChanged() {
        let (to, cc, bcc) = (to.recipients, cc.recipients, bcc.recipients)
        change { ($0.to, $0.cc, $0.bcc) = (to, cc, bcc) }
    }

    // MARK: - Reading

    private func load() {
        loading.start { [weak self, mail, start, locale] in
            do {
                let draft = try await start.draft(in: mail, locale: locale)
                guard !Task.isCancelled else { return }
                if let draft { self?.begin(draft) } else { self?.phase = .gone }
            } catch {
                guard !Task.isCancelled else { return }
                let error = MailError(error)
                self?.phase = error.code == .invalidArgument ? .gone : .failed(error)
            }
        }
    }

    /// Shows a draft in place of any other.
    func begin(_ draft: MailDraft) {
        let draft = draft.withWrittenTexts()
        let editor = DraftEditor(draft, in: mail)
        editor.didStore = didStore
        self.editor = editor
        showContent(of: draft)
        showsCopies = !draft.cc.isEmpty || !draft.bcc.isEmpty
        otherVersions = draft.otherVersions
        show(draft.state)
        // The first snapshot would show the stored text in its place.
        if draft.isChanged { storeGiven() }
        observe(draft.id)
        loadIdentities()
    }

    /// Stores the draft as it was given, since it has changes that aren't stored.
    package func storeGiven() {
        guard let editor, phase == .writing, editor.isSaved else { return }
        editor.storeGiven()
        isTouched = true
    }

    private func showContent(of draft: MailDraft) {
        if draft.text != content.text || draft.html != content.html {
            content = ComposeText(draft.text, html: draft.html)
        }
        to.show(draft.to)
        cc.show(draft.cc)
        bcc.show(draft.bcc)
    }

    private func show(_ state: DraftState) {
        phase = ComposePhase(state)
        switch state {
        case .refused(let refusal):
            (self.refusal, maybeSent) = (refusal, nil)
            for field in fields { field.markRefused(refusal.addresses) }
        case .unknown(let since, let attempts):
            refusal = nil
            maybeSent = .unknown(since: since, attempts: attempts)
        case .draft, .unsaved, .waiting, .uploading, .sending, .sent: break
        }
        unsaved = if case .unsaved(let reason) = state { reason } else { nil }
    }

    private func loadIdentities() {
        loading.start { [weak self, mail] in
            let identities = try? await mail.identities()
            guard !Task.isCancelled, let identities else { return }
            self?.identities = identities
        }
    }

    // MARK: - Changes elsewhere

    /// Observes the draft. It is begun again after an order, so that nothing that was read before is shown.
    func observe(_ id: String) {
        let snapshots = mail.observeDrafts(Query(where: #Predicate { $0.id == id }, limit: 1))
        drafts.start { [weak self, clock = mail.store.clock] in
            // A draft can be edited even while it can't be observed.
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self else { return false }
                if let stored = snapshot.items.first { show(stored) } else { await showOutcome(id) }
                return true
            } ended: {
                self?.end()
            }
        }
        let values = mail.uploadProgress(ofDraft: id)
        uploads.start { [weak self] in
            for await value in values {
                guard !Task.isCancelled, let self else { return }
                // The last fraction stays until the stored draft marks the file as uploaded.
                let merged = progress.merging(value) { $1 }
                if progress != merged { progress = merged }
            }
        }
    }

    /// Shows the stored draft.
    private func show(_ stored: MailDraft) {
        guard let editor, phase != .discarded else { return }
        isStored = true
        if otherVersions != stored.otherVersions { otherVersions = stored.otherVersions }
        let uploaded = Set(stored.attachments.filter(\.isUploaded).map(\.id))
        if self.uploaded != uploaded { self.uploaded = uploaded }
        if !stored.isComplete, editor.isSaved { complete(stored.id) }
        // Nothing is adopted over what isn't saved.
        let before = editor.isSaved ? editor.written : nil
        if editor.adopt(stored), let before, !before.hasContent(of: stored) {
            showContent(of: stored)
            (isUpdatedElsewhere, isDiscardedElsewhere) = (true, false)
        }
        if ComposePhase(stored.state) != phase || stored.state != .draft || unsaved != nil { show(stored.state) }
    }

    /// Fetches a text that another device has written. Then it is stored, and shown.
    private func complete(_ id: String) {
        guard !completing.isActive else { return }
        completing.start { [weak self, mail] in
            // Without a network, the text that is shown stays.
            _ = try? await mail.draft(id: id)
            self?.completing.end()
        }
    }

    /// Shows the outcome of a draft that is gone.
    private func showOutcome(_ id: String) async {
        guard isStored || phase != .writing else { return }
        guard let outcome = try? await mail.outcome(ofDraft: id) else {
            return discardedElsewhere()
        }
        switch outcome {
        case .pending: return
        case .sent: phase = .sent
        case .discarded: discardedElsewhere()
        }
    }

    private func discardedElsewhere() {
        guard phase != .discarded, phase != .sent else { return }
        (isStored, otherVersions) = (false, [])
        (phase, isDiscardedElsewhere) = (.writing, true)
    }

    /// Shows that the draft was discarded by a call beside the screen. What is written after that is a draft again.
    package func wasDiscarded() {
        if editor != nil { discardedElsewhere() }
    }

    private func end() {
        switch phase {
        case .sent, .discarded, .gone: return
        default: phase = .signedOut
        }
    }

    private func observeConnection() {
        connections.followConnection(of: mail) { [weak self] notice in
            if let self, connection != notice { connection = notice }
        }
    }

    // MARK: - Versions

    /// Shows another version of the draft (``ComposeNotice/otherVersions(_:)``). The version that is shown now becomes
    /// one of the others.
    public func use(_ version: DraftVersion) async {
        await choose { mail, id in try await mail.useVersion(version.id, of: id) }
    }

    /// Removes another version of the draft, on all devices.
    public func discard(_ version: DraftVersion) async {
        await choose { mail, id in
            try await mail.discardVersion(version.id, of: id)
            return nil
        }
        if failure == nil { otherVersions.removeAll { $0.id == version.id } }
    }

    private func choose(_ body: (Mail, String) async throws -> MailDraft?) async {
        guard let editor, phase == .writing else { return }
        do {
            // Changes that aren't stored yet would replace the version. Once stored, they are another version of the
            // text.
            if !editor.isSaved { try await editor.save() }
            if let draft = try await body(mail, editor.draft.id) { begin(draft) }
            failure = nil
        } catch {
            failure = .choosingVersion(MailError(error))
        }
    }
}

extension ComposeStart {
    /// Returns the draft; nil if there is none.
    ///
    /// - Throws: `MailError`.
    @concurrent
    fileprivate func draft(in mail: Mail, locale: Locale) async throws -> MailDraft? {
        switch self {
        case .new: mail.newDraft()
        case .draft(let draft): try await mail.draft(id: draft.id)
        case .stored(let id): try await mail.draft(id: id)
        case .edit(let id): try await mail.draft(ofMessage: id)
        case .reply(let id): try await mail.reply(to: id, locale: locale)
        case .replyAll(let id): try await mail.replyAll(to: id, locale: locale)
        case .forward(let id): try await mail.forward(id, locale: locale)
        }
    }
}

extension MailDraft {
    /// Whether another value of the draft has the same texts, recipients and files.
    fileprivate func hasContent(of other: MailDraft) -> Bool {
        func content(_ draft: MailDraft) -> some Equatable {
            [draft.subject, draft.text, draft.html ?? "", draft.html == nil ? "" : "html", draft.identityID ?? ""]
                + draft.attachments.map(\.id)
        }
        return content(self) == content(other) && to == other.to && cc == other.cc && bcc == other.bcc
    }
}
