import ArgumentParser
import Foundation
import Groundwork
import InboxClient
import InboxModel

/// `inbox show`: one message in full.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a message in full, and mark it as read.",
        discussion: """
            Example:
              inbox show x4k2p9
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A message id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @Flag(help: "Don't mark it as read.")
    var keepUnread = false

    @Flag(help: "Don't contact the server.")
    var offline = false

    @Flag(help: "Print the message as JSON.")
    var json = false

    func run() async throws {
        let inbox = try await deviceOptions.device.open()
        var message = try await MessageReferences.find([id], in: inbox, offline: offline)[0]
        let isRead = keepUnread ? false : try await inbox.markRead(message.id)
        if isRead { message.readAt = try await inbox.message(id: message.id)?.readAt }
        if json {
            Output.line(message.json.description)
        } else {
            let settings = try await SurfaceSettings(of: [message.surface], in: inbox)
            let page = MessagePage(width: Terminal.size.columns, now: Date(), settings: settings)
            for line in page.lines(message) { Output.line(line) }
        }
        let outcome = try await SyncOutcome.attempt(inbox, offline: offline || !isRead)
        if case .failed = outcome, let reason = outcome.reason {
            Output.note("inbox: Marked as read; waiting to be sent: \(reason).")
        }
        await inbox.close()
        try outcome.requireLogin()
    }
}
