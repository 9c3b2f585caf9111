public import Foundation
import Groundwork
public import Observation

/// A draft that a person is writing: the model of a screen that writes mail.
///
/// Bind text fields to ``draft``. A change is kept on this device, durably and not on the main actor, at once or within
/// a second: while the person types, the draft is written at most once a second. The server gets it five seconds after
/// the last change. Call ``close()`` when the screen disappears.
///
/// If another window or device changes the draft meanwhile, both texts are kept (``MailDraft/otherVersions``).
@MainActor
@Observable
public final class DraftEditor {
    /// The draft, with the person's changes.
    public var draft: MailDraft {
        didSet { if !isReading { changed() } }
    }
    /// Whether all changes are stored on this device. While the draft is being discarded, those until then count as
    /// stored.
    public private(set) var isSaved = true
    /// The error that prevented storing the last change; nil if it is stored. The next change, ``save()`` or
    /// ``close()`` retries.
    public private(set) var error: MailError?

    /// The text of ``setText(_:)``, until a stored draft is shown that has it; nil if ``draft`` has the text.
    private var typed: ComposeText?

    /// Called with the draft after each write that has stored it, also once the screen is gone.
    @ObservationIgnored package var didStore: (@MainActor (MailDraft) -> Void)?

    @ObservationIgnored private let mail: Mail
    /// The basis of the next change.
    @ObservationIgnored private var basis: MailDraft.Basis
    /// The bases of earlier changes. A draft that was read before them isn't shown again.
    @ObservationIgnored private var replaced: Set<MailDraft.Basis> = []
    /// The number of writes that haven't ended.
    @ObservationIgnored private var writes = 0
    /// The number of changes.
    @ObservationIgnored private var changes = 0
    /// Saves while there is something to save, with a second between two times.
    @ObservationIgnored private var saving: Task<Void, Never>?
    /// The write under way, which the next one follows.
    @ObservationIgnored private var write: Task<Void, Never>?
    /// The adding of files under way, which sending, closing and discarding wait for.
    @ObservationIgnored private var adding: Task<Void, Never>?
    /// The number of files that couldn't be added.
    @ObservationIgnored private var failedFiles = 0
    /// The error of the last of them.
    @ObservationIgnored private var fileError: (any Error)?
    /// The calls of ``beginDiscarding()`` whose outcome isn't known yet. Meanwhile no stored draft is shown.
    @ObservationIgnored private var discards = 0
    /// The number of changes at the last of them.
    @ObservationIgnored private var discardedChanges = 0
    /// Whether some of these changes aren't stored.
    @ObservationIgnored private var hasDiscardedChanges = false
    /// Whether ``draft`` is being set to the stored draft.
    @ObservationIgnored private var isReading = false

    /// The time between two writes of a draft that is being changed, in seconds.
    nonisolated static let pause = 1.0

    /// Creates an editor.
    ///
    /// - Parameters:
    ///   - draft: The draft, such as ``Mail/newDraft()`` or a reply.
    ///   - mail: The mail that it belongs to.
    public init(_ draft: MailDraft, in mail: Mail) {
        (self.draft, self.mail, basis) = (draft, mail, draft.basis)
    }

    /// The draft with the text of ``setText(_:)``.
    package var written: MailDraft { typed.map { draft.with($0) } ?? draft }

    /// Changes the text of the draft, without the cost of its quotation: text and HTML are put together once they are
    /// read (``written``) or stored. ``draft`` has the former ones until the stored draft is shown.
    package func setText(_ text: ComposeText) {
        var text: ComposeText? = text
        // It isn't compared with the one before, as a value that is set would be: it may have megabytes.
        swap(&typed, &text)
        changed()
    }

    private func changed() {
        changes += 1
        isSaved = false
        beginSaving()
    }

    private func beginSaving() {
        guard saving == nil else { return }
        saving = Task { await saveChanges() }
    }

    /// Saves until there are no changes left, or a write fails. The editor lives on until then.
    private func saveChanges() async {
        while !isSaved {
            let number = changes
            do {
                // A write before it may have kept everything, such as that of `close()`.
                _ = try await perform(unlessSaved: true) { [mail] in try await mail.save($0) }
            } catch {
                // It is tried again with the next change.
                if number == changes { break }
            }
            let clock = mail.configuration.clock
            try? await clock.sleep(until: clock.now.addingTimeInterval(Self.pause))
        }
        saving = nil
    }

    /// Stores the draft as it was given, since it has changes that aren't stored.
    package func storeGiven() { changed() }

    /// Stores all changes on this device now.
    ///
    /// - Throws: As ``Mail/save(_:waitsForChanges:)``.
    public func save() async throws { try await save(waitsForChanges: true) }

    /// Stores all changes on this device, and saves them on the server without a pause. Call it when the screen
    /// disappears.
    ///
    /// A draft that was never changed isn't stored. One that is stored isn't stored again: another window or device may
    /// have discarded or sent it since.
    ///
    /// - Throws: As ``Mail/save(_:waitsForChanges:)``, such as `invalidArgument` if the draft waits to be sent and was
    ///   changed since: ``undoSend()`` makes the changes storable.
    public func close() async throws {
        guard changes > 0, draft.isEditable || !isSaved else { return }
        await adding?.value
        await write?.value
        if isSaved { try await mail.endChanges(of: draft.id) } else { try await save(waitsForChanges: false) }
    }

    private func save(waitsForChanges: Bool) async throws {
        _ = try await perform { [mail] in try await mail.save($0, waitsForChanges: waitsForChanges) }
    }

    /// Sends the draft with all changes until the call. What is typed while it is stored is kept, as what is typed
    /// while the draft waits to be sent.
    ///
    /// It waits for files that are being added. If one can't be, the draft isn't sent.
    ///
    /// - Parameter date: When to send it; nil for at once.
    /// - Throws: As ``Mail/send(_:later:)``; the error of a file that was being added.
    public func send(later date: Date? = nil) async throws {
        let failedBefore = failedFiles
        await adding?.value
        if failedFiles > failedBefore, let fileError { throw fileError }
        showKeepingChanges(try await perform { [mail] in try await mail.send($0, later: date) })
    }

    /// Cancels the sending of a draft that waits to be sent.
    ///
    /// - Returns: Whether sending was cancelled. False if the server has already been asked to send the draft.
    /// - Throws: As ``Mail/undoSend(_:)``.
    @discardableResult
    public func undoSend() async throws -> Bool {
        guard let draft = try await mail.undoSend(draft.id) else { return false }
        // Changes of the meantime couldn't be stored until now.
        showKeepingChanges(draft)
        return true
    }

    /// Adds a file, and stores all changes.
    ///
    /// - Throws: As ``Mail/attach(_:to:type:contentID:)-(URL,_,_,_)``.
    public func attach(_ file: URL, type: String? = nil, contentID: String? = nil) async throws {
        let id = draft.id
        try await add { [mail] in try await mail.copy(file, forDraft: id, type: type, contentID: contentID) }
    }

    /// Adds bytes as a file, and stores all changes.
    ///
    /// - Throws: As ``Mail/attach(_:named:to:type:contentID:)``.
    public func attach(_ bytes: Data, named name: String, type: String? = nil, contentID: String? = nil) async throws {
        let id = draft.id
        try await add { [mail] in
            try await mail.copy(bytes, named: name, forDraft: id, type: type, contentID: contentID)
        }
    }

    /// Removes a file, and stores all changes.
    ///
    /// - Throws: As ``Mail/removeAttachment(_:from:)``.
    public func removeAttachment(_ id: String) async throws {
        try await changeFiles(since: discards) { [mail] in try await mail.removeAttachment(id, from: $0) }
    }

    /// Removes the draft from all devices. ``close()`` doesn't store it again then, unless it is changed.
    ///
    /// - Throws: As ``Mail/discard(_:)``. The changes that aren't stored yet are kept then, and stored.
    public func discard() async throws {
        await beginDiscarding()
        do {
            if basis != .new { try await mail.discard(draft.id) }
        } catch {
            endDiscarding(isDiscarded: false)
            throw error
        }
        endDiscarding(isDiscarded: true)
    }

    /// Lets no change that was made until now be written after this: the draft is about to be discarded, here or by a
    /// call beside the editor. ``endDiscarding(isDiscarded:)`` follows.
    package func beginDiscarding() async {
        discards += 1
        discardedChanges = changes
        if !isSaved { hasDiscardedChanges = true }
        isSaved = true
        saving?.cancel()
        await adding?.value
        await write?.value
    }

    /// Ends what ``beginDiscarding()`` has begun.
    ///
    /// - Parameter isDiscarded: Whether the draft was discarded. If it was changed meanwhile, it is a draft again.
    ///   Otherwise the changes are stored after all, unless another call discards it.
    package func endDiscarding(isDiscarded: Bool) {
        discards -= 1
        let isToBeStored = isDiscarded ? changes != discardedChanges : discards == 0 && hasDiscardedChanges
        if isDiscarded, !isToBeStored { changes = 0 }
        if isDiscarded || isToBeStored { hasDiscardedChanges = false }
        guard isToBeStored else { return }
        isSaved = false
        beginSaving()
    }

    /// Shows the draft as it is stored, such as after another device has changed it.
    ///
    /// It has no effect while changes of this editor aren't stored yet, or if this editor has stored a later text than
    /// the given one: both texts are kept then (``MailDraft/otherVersions``).
    ///
    /// - Parameter stored: The draft, as it was read.
    /// - Returns: Whether the draft is shown.
    @discardableResult
    public func adopt(_ stored: MailDraft) -> Bool {
        var current = draft
        current.basis = basis
        guard stored.id == draft.id, stored.isComplete, isSaved, writes == 0, discards == 0,
            !replaced.contains(stored.basis), !stored.isOlder(than: current)
        else { return false }
        // The text that was shown before may be the latest again, such as when the other one is removed.
        show(stored, replacing: false)
        return true
    }

    // MARK: -

    /// Shows a stored draft.
    ///
    /// - Parameter replaces: Whether this editor has stored it, over the version that it was based on.
    private func show(_ stored: MailDraft, replacing replaces: Bool = true) {
        if draft != stored {
            isReading = true
            draft = stored
            isReading = false
        }
        typed = nil
        rebase(on: stored, replacing: replaces)
    }

    /// Shows a stored draft; only its state if there are changes that aren't stored.
    private func showKeepingChanges(_ stored: MailDraft) {
        guard !isSaved else { return show(stored) }
        draft.state = stored.state
        rebase(on: stored)
    }

    private func rebase(on stored: MailDraft, replacing replaces: Bool = true) {
        guard basis != stored.basis else { return }
        if replaces { replaced.insert(basis) }
        replaced.remove(stored.basis)
        basis = stored.basis
    }

    /// Adds a file once it is copied, after the files before. What is typed meanwhile is stored meanwhile.
    private func add(_ copy: @escaping @Sendable () async throws -> DraftText.File) async throws {
        let (before, discardsBefore) = (adding, discards)
        let task = Task { () throws -> Void in
            await before?.value
            do {
                let file = try await copy()
                try await changeFiles(since: discardsBefore) { [mail] in try await mail.add(file, to: $0) }
            } catch {
                failedFiles += 1
                fileError = error
                throw error
            }
        }
        adding = Task { _ = await task.result }
        try await task.value
    }

    /// Changes the files, and stores all changes.
    ///
    /// - Parameter discardsBefore: The value of ``discards`` when the change was begun.
    private func changeFiles(
        since discardsBefore: Int,
        _ body: @escaping @Sendable (MailDraft) async throws -> MailDraft
    ) async throws {
        let stored = try await perform(body)
        isReading = true
        draft.files = stored.files
        isReading = false
        changes += 1
        // What was begun before the draft is discarded isn't a later change.
        if discards > discardsBefore { discardedChanges += 1 }
    }

    /// Performs one write after the other, each with the changes until then.
    private func perform(
        unlessSaved: Bool = false,
        _ body: @escaping @Sendable (MailDraft) async throws -> MailDraft
    ) async throws -> MailDraft {
        let before = write
        writes += 1
        let task = Task { () throws -> MailDraft in
            defer { writes -= 1 }
            await before?.value
            if unlessSaved, isSaved { return draft }
            var value = draft
            value.basis = basis
            let number = changes
            if let typed { value = await value.composed(with: typed) }
            let stored: MailDraft
            do {
                stored = try await body(value)
            } catch {
                // A file that can't be added leaves what is stored as it is.
                if !isSaved { self.error = MailError.wrapping(error) as? MailError }
                throw error
            }
            rebase(on: stored)
            error = nil
            if number == changes { isSaved = true }
            didStore?(stored)
            return stored
        }
        write = Task { _ = await task.result }
        return try await task.value
    }
}

extension MailDraft {
    /// Returns the draft with another text, and its HTML.
    fileprivate func with(_ typed: ComposeText) -> MailDraft {
        var draft = self
        (draft.text, draft.html) = (typed.text, typed.html)
        return draft
    }

    /// Returns the draft with another text, not on the caller's actor: text and HTML may have megabytes.
    @concurrent
    fileprivate func composed(with typed: ComposeText) async -> MailDraft { with(typed) }
}
