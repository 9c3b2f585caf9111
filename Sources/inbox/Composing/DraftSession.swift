import Foundation
import Groundwork
import InboxMail

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writing a draft, by options, from standard input, or in the person's editor.
struct DraftSession {
    let mail: Mail
    let device: Device
    let options: DraftOptions
    let sending: SendingOptions
    /// The existing draft that is changed; nil for a new one. Its text isn't read from standard input by default, and
    /// changes in the editor can be undone.
    var original: MailDraft?
    /// Whether the existing draft was changed already, such as to another version.
    var isChanged = false
    /// The ids of the existing draft's files to remove.
    var detachedFiles: [String] = []

    /// Whether the person is at a terminal, and can be asked.
    private static var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Changes a draft by the options, then by the person, and keeps or sends it.
    ///
    /// - Throws: ``Failure``; `MailError`.
    func run(_ draft: MailDraft) async throws {
        let isEditing = options.edit || (Self.isAtTerminal && !options.hasText)
        if isEditing, !Self.isAtTerminal { throw Failure("--edit needs a terminal. Give the text with --body.") }
        var draft = draft
        var edit = try options.edit(of: draft, readsInput: !isEditing && original == nil)
        edit.removedFiles += detachedFiles
        for file in edit.attachments { try Mail.check(try await mail.sizeProblem(of: file)) }
        let later = try sending.delivery.laterDate
        let isForSending = sending.send || later != nil
        if original != nil, !isChanged, !isEditing, !isForSending, edit == DraftEdit() {
            throw Failure("Nothing to change. Give an option, such as --subject, or --body-file - for standard input.")
        }
        let quotation = try await quotation(in: draft, for: edit, isEditing: isEditing)
        edit.apply(to: &draft, above: quotation)
        if isEditing {
            try await editByHand(draft, edit, above: quotation, later)
        } else {
            if original == nil, draft.isBlank, edit.attachments.isEmpty {
                throw Failure(
                    """
                    The mail is empty, and nothing was saved. Give --to, --subject or --body, or a text on standard \
                    input.
                    """
                )
            }
            draft = try await edit.save(draft, over: original, in: mail)
            try await sender.run(isForSending ? .send(later: later, force: sending.delivery.force) : .keep, draft)
        }
    }

    /// Returns the quotation in a draft, if the change needs it. A note says where there is none any more.
    private func quotation(
        in draft: MailDraft,
        for edit: DraftEdit,
        isEditing: Bool
    ) async throws -> DraftQuotation? {
        guard original != nil else { return DraftQuotation(of: draft) }
        let changesText = edit.ownText != nil || edit.html != nil
        guard changesText || (isEditing && draft.html != nil) else { return nil }
        let offline = sending.delivery.offline
        if let found = try await DraftQuotation.find(in: draft, of: mail, offline: offline) { return found }
        let isAnswer = draft.answeredMessageID != nil || draft.forwardedMessageID != nil
        if changesText, isAnswer, !draft.text.allSatisfy(\.isWhitespace) {
            Output.note("inbox: No quotation was found at the end of the text, so that all of it is replaced.")
        }
        return nil
    }

    private var sender: DraftSender {
        DraftSender(mail: mail, offline: sending.delivery.offline, json: sending.delivery.json)
    }

    // MARK: - Editing

    /// A draft that the person edits, page by page.
    private struct Editing {
        var draft: MailDraft
        let quotation: DraftQuotation?
        /// The change by the options, which is saved with the next page.
        var pending: DraftEdit
        /// The HTML of the options: it stays, whatever the person writes into the first page.
        let givenHTML: String?
        var isSaved = false
        var notes: [String]
        /// The file in which the person writes.
        var file: URL
        /// The text to begin with; nil if the file has the person's text, which needs a correction.
        var page: String?

        init(_ draft: MailDraft, _ first: DraftEdit, above quotation: DraftQuotation?, in file: URL) {
            (self.draft, self.quotation, pending, self.file) = (draft, quotation, first, file)
            givenHTML = first.html == nil ? nil : draft.html
            notes = draft.versionNotes
            beginPage()
        }

        mutating func beginPage() {
            page = DraftPage.text(of: draft, notes: notes, without: pending.removedFiles)
        }
    }

    private enum PageOutcome {
        case saved
        /// The person corrects the page.
        case again
        /// The person leaves the page empty.
        case left
    }

    /// Lets the person edit a draft until they decide about it.
    private func editByHand(
        _ draft: MailDraft,
        _ first: DraftEdit,
        above quotation: DraftQuotation?,
        _ later: Date?
    ) async throws {
        var undo: DraftUndo?
        if let original { undo = try await DraftUndo(of: original, in: mail) }
        var editing = Editing(draft, first, above: quotation, in: device.newPage())
        while true {
            switch try await editPage(&editing) {
            case .again: continue
            case .left: return try await sender.run(.keep, editing.draft)
            case .saved: break
            }
            let problems = try await mail.problems(of: editing.draft)
            editing.notes = problems.map(\.message) + editing.draft.versionNotes
            for note in editing.notes { Output.note("! \(note)") }
            switch Self.ask(problems, isQuestion: !editing.notes.isEmpty, canUndo: undo != nil) {
            case "s":
                return try await sender.run(.send(later: later, force: true), editing.draft)
            case "e":
                editing.file = device.newPage()
                editing.beginPage()
            case "u":
                try await undo?.run(editing.draft, in: mail)
                return try await finish("Changes undone.")
            case "d":
                try await mail.discard(editing.draft.id)
                return try await finish("Discarded.", discarding: [editing.draft.id])
            default: return try await sender.run(.keep, editing.draft)
            }
        }
    }

    /// Lets the person write a page, and saves it.
    private func editPage(_ editing: inout Editing) async throws -> PageOutcome {
        if let page = editing.page { try PrivateFile.replace(editing.file, with: Array(page.utf8)) }
        try openEditor(editing.file, editing.page)
        do {
            let text = try DraftInput.text(editing.file.path)
            // An editor that failed is likelier than a person who wants a draft with nothing in it.
            if text.allSatisfy(\.isWhitespace) {
                Output.note("inbox: The page is empty. Nothing was changed.")
                guard Self.asksForEditor else { throw EmptyPage() }
                editing.beginPage()
                return .again
            }
            try await save(text, &editing)
            return .saved
        } catch is EmptyPage {
            try? FileManager.default.removeItem(at: editing.file)
            guard editing.isSaved else { throw Failure("Nothing was saved.", code: .notSent) }
            return .left
        } catch {
            guard let problem = Self.problem(error) else {
                throw await failure(error, editing.draft.id, editing.file)
            }
            // The text isn't saved yet: it stays in the file, to be corrected.
            Output.note("inbox: \(problem)")
            guard Self.asksForEditor else {
                throw Failure("Nothing was saved.\(Self.place(of: editing.file))", code: .notSent)
            }
            editing.page = nil
            return .again
        }
    }

    /// Saves the person's text, with the changes of the options.
    private func save(_ text: String, _ editing: inout Editing) async throws {
        let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        var edit = try DraftEdit(try DraftPage(reading: text), of: editing.draft, folder: folder)
        try DraftInput.check(edit.attachments)
        var changed = editing.draft
        edit.apply(to: &changed, above: editing.quotation)
        edit.attachments = editing.pending.attachments + edit.attachments
        edit.removedFiles += editing.pending.removedFiles
        if editing.pending.html != nil { changed.html = editing.givenHTML }
        editing.draft = try await edit.save(changed, over: editing.isSaved ? editing.draft : original, in: mail)
        (editing.pending, editing.isSaved) = (DraftEdit(), true)
        try? FileManager.default.removeItem(at: editing.file)
    }

    /// Syncs, and prints the result.
    private func finish(_ text: String, discarding ids: [String] = []) async throws {
        let outcome = try await SyncOutcome.attempt(mail, offline: sending.delivery.offline)
        if let kept = try await DraftReferences.kept(of: ids, in: mail).first {
            throw Failure("Not discarded: \(DraftReferences.reason(keeping: kept))")
        }
        Output.line(text)
        try outcome.requireLogin(reporting: outcome.mailReason(mail))
    }

    /// The person leaves a page empty.
    private struct EmptyPage: Error {}

    /// Opens a file in the editor.
    ///
    /// - Parameter page: The file's contents so far; nil if the person wrote them.
    private func openEditor(_ file: URL, _ page: String?) throws {
        do {
            try Editor().edit(file)
        } catch let failure as Failure {
            guard page == nil || (try? DraftInput.text(file.path)) != page else {
                try? FileManager.default.removeItem(at: file)
                throw failure
            }
            throw Failure("\(failure.description)\(Self.place(of: file))")
        }
    }

    private static var asksForEditor: Bool {
        Question.ask("Edit it again? [Y/n] ", ["y", "n"], default: "y", atEnd: "n") == "y"
    }

    private static func ask(_ problems: [DraftProblem], isQuestion: Bool, canUndo: Bool) -> String {
        let undo = canUndo ? "[u]ndo changes, [d]iscard the draft? " : "[d]iscard? "
        let undoAnswers = canUndo ? ["u"] : []
        guard !problems.contains(where: { $0.severity == .blocksSending }) else {
            let answers = ["e", "k", "d"] + undoAnswers
            return Question.ask("[e]dit again, [k]eep as a draft, \(undo)", answers, default: "e", atEnd: "k")
        }
        let send = isQuestion ? "[s]end as it is" : "[s]end"
        let answers = ["s", "e", "k", "d"] + undoAnswers
        return Question.ask("\(send), [e]dit again, [k]eep as a draft, \(undo)", answers, default: "k")
    }

    /// Returns the problem if the person can correct it.
    private static func problem(_ error: any Error) -> String? {
        switch error {
        case let problem as DraftPage.Problem: problem.text()
        case let failure as Failure: failure.description
        case let error as MailError where error.code == .fileTooLarge: error.description
        default: nil
        }
    }

    /// Returns the failure to save the person's text, with the place of its file.
    private func failure(_ error: any Error, _ id: String, _ file: URL) async -> Failure {
        let place = Self.place(of: file)
        if let reason = try? await mail.draft(id: id)?.lockReason { return Failure(reason + place) }
        if let error = error as? InboxError {
            guard error.code != .closed else { return Failure("The device was logged out meanwhile.\(place)") }
            let failure = Failure(error, login: MailLogin.command(for: mail))
            return Failure(failure.description + place, code: failure.code)
        }
        return Failure((Failure(from: error)?.description ?? "\(error)") + place)
    }

    /// A sentence with the place of the person's text; empty if the file is gone.
    private static func place(of file: URL) -> String {
        FileManager.default.fileExists(atPath: file.path) ? " What you wrote is in \(file.path)" : ""
    }
}

extension MailDraft {
    /// Whether it has no recipient, no words and no file.
    fileprivate var isBlank: Bool {
        (to + cc + bcc).isEmpty && subject.isEmpty && text.allSatisfy(\.isWhitespace) && html == nil
            && attachments.isEmpty
    }
}
