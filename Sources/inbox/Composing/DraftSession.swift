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
    /// The existing draft that is changed; nil for a new one. Its text isn't taken from standard input by default, and
    /// what the person does in the editor can be undone.
    var original: MailDraft?
    /// Whether the existing draft was changed already, such as to another version.
    var isChanged = false

    /// Whether the person is at a terminal, and can be asked.
    private static var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Changes a draft by the options, then by the person, and keeps or sends it.
    ///
    /// - Throws: ``Failure``; `MailError`.
    func run(_ draft: MailDraft) async throws {
        let isEditing = options.edit || (Self.isAtTerminal && !options.hasText)
        if isEditing, !Self.isAtTerminal { throw Failure("--edit needs a terminal. Give the text with --body.") }
        var draft = draft
        let edit = try options.edit(of: draft, readsInput: !isEditing && original == nil)
        for file in edit.attachments { try Mail.check(try await mail.sizeProblem(of: file)) }
        let later = try sending.delivery.laterDate
        let isForSending = sending.send || later != nil
        if original != nil, !isChanged, !isEditing, !isForSending, edit == DraftEdit() {
            throw Failure("Nothing to change. Give an option, such as --subject, or --body-file - for standard input.")
        }
        edit.apply(to: &draft)
        if isEditing {
            try await editByHand(&draft, edit, later)
        } else {
            draft = try await edit.save(draft, in: mail)
            try await sender.run(isForSending ? .send(later: later, force: sending.delivery.force) : .keep, draft)
        }
    }

    private var sender: DraftSender {
        DraftSender(mail: mail, offline: sending.delivery.offline, json: sending.delivery.json)
    }

    // MARK: - Editing

    /// Lets the person edit a draft until they know what to do with it.
    private func editByHand(_ draft: inout MailDraft, _ first: DraftEdit, _ later: Date?) async throws {
        var undo: DraftUndo?
        if let original { undo = try await DraftUndo(of: original, in: mail) }
        var pending = first
        var isSaved = false
        var file = device.newPage()
        var notes = draft.versionNotes
        // Nil where the file has what the person wrote, and corrects.
        var page: String? = DraftPage.text(of: draft, notes: notes)
        while true {
            if let page { try PrivateFile.replace(file, with: Array(page.utf8)) }
            try openEditor(file, page)
            do {
                let text = try DraftInput.text(file.path)
                // An editor that failed is likelier than a person who wants a draft with nothing in it.
                if text.allSatisfy(\.isWhitespace) {
                    Output.note("inbox: The page is empty. Nothing was changed.")
                    guard Self.asksForEditor else { throw EmptyPage() }
                    page = DraftPage.text(of: draft, notes: notes)
                    continue
                }
                let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
                var edit = try DraftEdit(try DraftPage(reading: text), of: draft, folder: folder)
                try DraftInput.check(edit.attachments)
                edit.apply(to: &draft)
                edit.attachments = pending.attachments + edit.attachments
                if let html = pending.html { draft.html = html }
                draft = try await edit.save(draft, in: mail)
                (pending, isSaved) = (DraftEdit(), true)
                try? FileManager.default.removeItem(at: file)
            } catch is EmptyPage {
                try? FileManager.default.removeItem(at: file)
                guard isSaved else { throw Failure("Nothing was saved.", code: .notSent) }
                return try await sender.run(.keep, draft)
            } catch {
                guard let problem = Self.problem(error) else { throw await failure(error, draft.id, file) }
                // The text isn't saved yet: it stays in the file, to be corrected.
                Output.note("inbox: \(problem)")
                guard Self.asksForEditor else {
                    throw Failure("Nothing was saved.\(Self.place(of: file))", code: .notSent)
                }
                page = nil
                continue
            }
            let problems = try await mail.problems(of: draft)
            notes = problems.map(\.message) + draft.versionNotes
            for note in notes { Output.note("! \(note)") }
            switch Self.ask(problems, isQuestion: !notes.isEmpty, canUndo: undo != nil) {
            case "s":
                return try await sender.run(.send(later: later, force: true), draft)
            case "e":
                file = device.newPage()
                page = DraftPage.text(of: draft, notes: notes)
            case "u":
                try await undo?.run(draft, in: mail)
                _ = try await SyncOutcome.attempt(mail, offline: sending.delivery.offline)
                return Output.line("Changes undone.")
            case "d":
                try await mail.discard(draft.id)
                _ = try await SyncOutcome.attempt(mail, offline: sending.delivery.offline)
                return Output.line("Discarded.")
            default: return try await sender.run(.keep, draft)
            }
        }
    }

    /// The person leaves a page empty.
    private struct EmptyPage: Error {}

    /// Opens a file in the editor.
    ///
    /// - Parameter page: What was written to it before; nil if the person wrote it.
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

    /// Returns what the person can correct.
    private static func problem(_ error: any Error) -> String? {
        switch error {
        case let problem as DraftPage.Problem: problem.text()
        case let failure as Failure: failure.description
        case let error as MailError where error.code == .fileTooLarge: error.description
        default: nil
        }
    }

    /// Returns the failure to save what the person wrote, and where that is.
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

    /// A sentence that says where the person's text is; empty if the file is gone.
    private static func place(of file: URL) -> String {
        FileManager.default.fileExists(atPath: file.path) ? " What you wrote is in \(file.path)" : ""
    }
}

/// The means to undo the changes of a draft.
private struct DraftUndo {
    let original: MailDraft
    /// The bytes of the files that only this device has, by their ids.
    private var files: [String: Data] = [:]

    init(of draft: MailDraft, in mail: Mail) async throws {
        original = draft
        for file in draft.attachments where !file.isUploaded {
            files[file.id] = try? await mail.contents(of: file, inDraft: draft.id)
        }
    }

    /// Saves the draft as it was.
    ///
    /// - Parameter last: What the person has saved last, which is undone.
    /// - Throws: ``Failure`` if another window or device has changed the draft since. Nothing is undone then.
    func run(_ last: MailDraft, in mail: Mail) async throws {
        guard let current = try await mail.draft(id: original.id), current.isSameStored(as: last) else {
            throw Failure(
                "The draft was changed in another window or on another device since. Nothing was undone. "
                    + "To see it: inbox mail drafts \(original.shortID)"
            )
        }
        var restored = try await mail.save(original, waitsForChanges: false)
        for file in original.attachments {
            // The copy of a file that was removed is gone.
            guard let bytes = files[file.id], (try? await mail.contents(of: file, inDraft: original.id)) == nil
            else { continue }
            restored = try await mail.removeAttachment(file.id, from: restored)
            restored = try await mail.attach(
                bytes,
                named: file.name,
                to: restored,
                type: file.type,
                contentID: file.contentID
            )
        }
        // What is undone isn't another text of the draft.
        if let undone = last.replacedID, restored.otherVersions.contains(where: { $0.id == undone }) {
            try await mail.discardVersion(undone, of: original.id)
        }
    }
}
