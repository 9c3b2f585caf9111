import ArgumentParser
import InboxClient

/// `inbox read`: marks messages as read.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Mark messages as read.",
        discussion: """
            Takes effect on this device immediately, even offline, and on other devices after a sync.

            Examples:
              inbox read x4k2p9 7wq0aa
              inbox read --all
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("Message ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "All messages in the inbox.")
    var all = false

    func validate() throws {
        guard ids.isEmpty == all else { throw ValidationError("The messages are missing. Give their ids, or --all.") }
    }

    func run() async throws {
        let action = MessageCommandAction(
            options: options,
            doneText: "read",
            unchangedText: all ? "No unread messages." : "Already read."
        ) { inbox, messages in
            all ? try await inbox.markAllRead() : try await inbox.markRead(messages.map(\.id))
        }
        try await action.run(all ? nil : ids)
    }
}

/// `inbox unread`: marks messages as unread.
struct UnreadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "Mark messages as unread.",
        discussion: """
            Example:
              inbox unread x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("Message ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = MessageCommandAction(options: options, doneText: "unread", unchangedText: "Already unread.") {
            inbox,
            messages in
            try await inbox.markUnread(messages.map(\.id))
        }
        try await action.run(ids)
    }
}
