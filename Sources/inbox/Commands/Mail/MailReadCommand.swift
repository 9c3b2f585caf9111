import ArgumentParser
import Foundation
import Groundwork
import InboxClient
import InboxMail

/// `inbox mail read`: the mails of a thread, in full.
struct MailReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Show the mails of a thread, and mark them as read.",
        discussion: """
            Missing texts are fetched and stored. Quoted text and signatures are dimmed. Of a mail with text and HTML, \
            the text is shown, unless it only says that the mail has HTML.

            Examples:
              inbox mail read 7caef2
              inbox mail read 7caef2 --html
              inbox mail read 7caef2 --save Downloads
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A thread id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @Flag(help: "Don't mark them as read.")
    var keepUnread = false

    @Flag(help: "Draw the HTML of the mails, also where they have a text.")
    var html = false

    @Flag(help: "Show the HTML source of the mails.")
    var source = false

    @Option(
        help: ArgumentHelp("Save the attachments in this directory. Existing files aren't replaced.", valueName: "dir"),
        completion: .directory
    )
    var save: String?

    @Flag(help: "Don't contact the server.")
    var offline = false

    @Flag(help: "Print a JSON object: thread, mails.")
    var json = false

    func validate() throws { try PathArgument.check(save, of: "--save") }

    func run() async throws {
        try await deviceOptions.device.withMail { mail, _ in
            let thread = try await ThreadReferences.find([id], in: mail, offline: offline)[0]
            let messages = try await mail.messages(inThread: thread.id)
            let (bodies, fetching) = try await bodies(of: messages.map(\.id), in: mail)
            let items = messages.map { ThreadPage.Item(message: $0, body: bodies[$0.id]) }
            if json {
                let object: JSON = ["thread": thread.json, "mails": .array(items.map(\.json))]
                Output.line(object.description)
            } else {
                let version: ThreadPage.Version = source ? .source : html ? .html : .best
                let page = ThreadPage(width: Terminal.size.columns, now: Date(), version: version)
                for line in page.lines(thread, items, mailboxes: try await mail.mailboxes()) { Output.line(line) }
            }
            let isRead = keepUnread ? false : try await !mail.markRead(threads: [thread.id]).isEmpty
            if let save {
                let files = items.flatMap { $0.body?.listedFiles ?? [] }
                try await FileSaver(folder: URL(fileURLWithPath: save, isDirectory: true)).save(files, from: mail)
            }
            let outcome = try await SyncOutcome.attempt(mail, offline: offline || !isRead)
            if case .failed = outcome, let reason = outcome.mailReason(mail) {
                Output.note("inbox: Marked as read; waiting to be sent: \(reason).")
            }
            try fetching.requireLogin()
            try outcome.requireLogin()
        }
    }

    /// Returns the bodies that are available, and whether they were fetched.
    private func bodies(of ids: [String], in mail: Mail) async throws -> ([String: MailBody], SyncOutcome) {
        var outcome = SyncOutcome.skipped
        if !offline {
            do {
                return (try await mail.bodies(of: ids), .synced)
            } catch let error as InboxError where error.code != .storage && error.code != .closed {
                outcome = await SyncOutcome.failure(error, of: mail)
                Output.note("inbox: Showing stored texts only: \(outcome.mailReason(mail) ?? "").")
            }
        }
        var found: [String: MailBody] = [:]
        for id in ids { found[id] = try await mail.storedBody(of: id) }
        return (found, outcome)
    }
}
