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

    /// Whether the person is at a terminal, and can be asked.
    private static var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Changes a draft by the options, then by the person, and keeps or sends it.
    ///
    /// - Throws: ``Failure``; `MailError`.
    func run(_ draft: MailDraft) async throws {
        let isEditing = options.edit || (Self.isAtTerminal && !options.hasText)
        if isEditing, !Self.isAtTerminal { throw Failure("--edit needs a terminal. Give the text with --body.") }
        var draft = draft
        let edit = try options.edit(of: draft, readsInput: !isEditing)
        for file in edit.attachments { try Mail.check(try await mail.sizeProblem(of: file)) }
        edit.apply(to: &draft)
        let later = try sending.laterDate
        if isEditing {
            try await editByHand(&draft, edit, later)
        } else {
            draft = try await edit.save(draft, in: mail)
            try await sender.run(
                sending.send || later != nil ? .send(later: later, force: sending.force) : .keep,
                draft
            )
        }
    }

    private var sender: DraftSender {
        DraftSender(mail: mail, offline: sending.offline, json: sending.json)
    }

    // MARK: - Editing

    /// Lets the person edit a draft until they know what to do with it.
    private func editByHand(_ draft: inout MailDraft, _ first: DraftEdit, _ later: Date?) async throws {
        var pending = first
        var file = try pageFile()
        var notes: [String] = []
        var page = DraftPage.text(of: draft)
        while true {
            try PrivateFile.replace(file, with: Array(page.utf8))
            do {
                try Editor().edit(file)
            } catch let failure as Failure {
                let isChanged = (try? DraftInput.text(file.path)) != page
                guard isChanged else {
                    try? FileManager.default.removeItem(at: file)
                    throw failure
                }
                throw Failure("\(failure.description) What you wrote is in \(file.path)")
            }
            let text = try DraftInput.text(file.path)
            do {
                let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
                var edit = try DraftEdit(try DraftPage(reading: text), of: draft, folder: folder)
                try DraftInput.check(edit.attachments)
                edit.apply(to: &draft)
                edit.attachments = pending.attachments + edit.attachments
                if let html = pending.html { draft.html = html }
                draft = try await edit.save(draft, in: mail)
                pending = DraftEdit()
                try? FileManager.default.removeItem(at: file)
            } catch {
                guard let problem = Self.problem(error) else { throw error }
                // The text isn't saved yet: it stays in the file, to be corrected.
                Output.note("inbox: \(problem)")
                guard Question.ask("Edit it again? [Y/n] ", ["y", "n"], default: "y", atEnd: "n") == "y" else {
                    throw Failure("Nothing was saved. What you wrote is in \(file.path)", code: .notSent)
                }
                page = text
                continue
            }
            let problems = try await mail.problems(of: draft)
            notes = problems.map(\.message)
            for note in notes { Output.note("! \(note)") }
            switch Self.ask(problems) {
            case "s":
                return try await sender.run(.send(later: later, force: true), draft)
            case "e":
                file = try pageFile()
                page = DraftPage.text(of: draft, notes: notes)
            case "d":
                try await mail.discard(draft.id)
                _ = try await SyncOutcome.attempt(mail, offline: sending.offline)
                return Output.line("Discarded.")
            default: return try await sender.run(.keep, draft)
            }
        }
    }

    private static func ask(_ problems: [DraftProblem]) -> String {
        guard !problems.contains(where: { $0.severity == .blocksSending }) else {
            let answers = ["e", "k", "d"]
            return Question.ask("[e]dit again, [k]eep as a draft, [d]iscard? ", answers, default: "e", atEnd: "k")
        }
        let send = problems.isEmpty ? "[s]end" : "[s]end as it is"
        return Question.ask(
            "\(send), [e]dit again, [k]eep as a draft, [d]iscard? ",
            ["s", "e", "k", "d"],
            default: "k"
        )
    }

    private static func problem(_ error: any Error) -> String? {
        switch error {
        case let problem as DraftPage.Problem:
            problem.line == 0 ? problem.description : "Line \(problem.line): \(problem.description)"
        case let failure as Failure: failure.description
        case let error as MailError where error.code == .fileTooLarge: error.description
        default: nil
        }
    }

    /// A new file for the editor, which only the person can read.
    private func pageFile() throws -> URL {
        let name = "draft-\(UUID().uuidString.lowercased().prefix(8)).txt"
        return device.directory.appendingPathComponent(name)
    }
}
