import ArgumentParser
import Foundation
import InboxMail

/// The options that set the parts of a draft.
struct DraftOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The recipients: addresses, with or without names.", valueName: "address")
    )
    var to: [String] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("The recipients of a copy.", valueName: "address"))
    var cc: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The recipients of a blind copy, which no other recipient sees.", valueName: "address")
    )
    var bcc: [String] = []

    @Option(help: ArgumentHelp("The sender. (default: the account's)", valueName: "address"))
    var from: String?

    @Option(help: ArgumentHelp("The subject.", valueName: "text"))
    var subject: String?

    @Option(
        help: ArgumentHelp(
            "The text. A reply has the quotation below it, and a forward the forwarded mail.",
            valueName: "text"
        )
    )
    var body: String?

    @Option(
        help: ArgumentHelp("A file with the text, in UTF-8. Use - for standard input.", valueName: "file"),
        completion: .file()
    )
    var bodyFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with HTML, in UTF-8. Below it is the same as below a text. It is cleaned before it is sent.",
            valueName: "file"
        ),
        completion: .file()
    )
    var html: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Files to attach.", valueName: "file"),
        completion: .file()
    )
    var attach: [String] = []

    @Flag(
        help: """
            The text, of --body-file or otherwise standard input, begins with header lines (From, Reply-To, To, Cc, \
            Bcc, Subject, File, Attach) and an empty line. A line without a value clears that part, and what has no \
            line stays.
            """
    )
    var headers = false

    @Flag(help: "Edit the draft in $VISUAL or $EDITOR, also where options give its text.")
    var edit = false

    func validate() throws {
        try PathArgument.check(bodyFile, of: "--body-file")
        try PathArgument.check(html, of: "--html")
        for path in attach { try PathArgument.check(path, of: "--attach") }
        guard body == nil || bodyFile == nil else {
            throw ValidationError("--body and --body-file can't be combined.")
        }
        guard !headers || body == nil, !headers || !edit else {
            throw ValidationError("--headers is for a text from --body-file or standard input.")
        }
        guard html != "-" || (bodyFile != "-" && !(headers && bodyFile == nil)) else {
            throw ValidationError("Standard input can be read only once.")
        }
        guard bodyFile != "-" || !edit else {
            throw ValidationError("--edit needs the terminal, which --body-file - doesn't leave to it.")
        }
        for (name, values) in [("--to", to), ("--cc", cc), ("--bcc", bcc), ("--from", from.map { [$0] } ?? [])] {
            for value in values {
                let typed = EmailAddress.read(value, isForBlindCopies: name == "--bcc")
                guard let wrong = typed.unreadable.first else { continue }
                throw ValidationError("\(name) \(wrong.text.plainLine.cut(to: 60)): \(wrong.problem.message)")
            }
        }
        if let from, EmailAddress.read(from).addresses.count != 1 {
            throw ValidationError("--from has to be one address.")
        }
    }

    /// Whether the options contain the draft's whole text.
    var hasText: Bool { body != nil || bodyFile != nil || html != nil || headers }

    /// Returns the change that the options describe.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - readsInput: Whether the text comes from standard input if no option gives it.
    /// - Throws: ``Failure`` for a file that can't be read.
    func edit(of draft: MailDraft, readsInput: Bool) throws -> DraftEdit {
        let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        var edit = DraftEdit()
        let path = bodyFile ?? (headers || (readsInput && !hasText) ? "-" : nil)
        if headers, let path {
            let text = try DraftInput.text(path)
            do {
                let page = try DraftPage(reading: text)
                edit = try DraftEdit(page, of: draft, folder: folder)
                edit.keepWhatIsMissing(in: page)
                (edit.ownText, edit.wholeText) = (edit.wholeText, nil)
            } catch {
                throw Failure(error.text(in: DraftInput.name(path)))
            }
        } else if let text = try body ?? path.map(DraftInput.text) {
            edit.ownText = String(DraftEdit.withoutLastBreaks(text.replacing("\r\n", with: "\n")))
        }
        if let html { edit.html = try DraftInput.text(html) }
        if !to.isEmpty { edit.to = DraftEdit.addresses(to) }
        if !cc.isEmpty { edit.cc = DraftEdit.addresses(cc) }
        if !bcc.isEmpty { edit.bcc = DraftEdit.addresses(bcc, isForBlindCopies: true) }
        if let from { edit.from = DraftEdit.addresses([from]).first }
        if let subject { edit.subject = subject }
        edit.attachments += attach.map { DraftEdit.file($0, in: folder) }
        try DraftInput.check(edit.attachments)
        return edit
    }
}
