import ArgumentParser
import InboxClient

/// `inbox read`: marks messages as read.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Mark messages read.",
        discussion: """
            It is so on this device at once, also without network, and on the others when the server has it.

            Examples:
              inbox read x4k2p9 7wq0aa
              inbox read --all
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("The messages' ids, or their ends.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "All of the inbox.")
    var all = false

    func validate() throws {
        guard ids.isEmpty == all else { throw ValidationError("Which messages? Give their ids, or --all.") }
    }

    func run() async throws {
        let action = PersonalAction(options: options, done: "read", already: all ? "Nothing unread." : "Already read.")
        { inbox, messages in
            all ? try await inbox.markAllRead() : try await inbox.markRead(messages.map(\.id))
        }
        try await action.run(all ? nil : ids)
    }
}

/// `inbox unread`: marks messages as unread.
struct UnreadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "Mark messages unread.",
        discussion: """
            Example:
              inbox unread x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("The messages' ids, or their ends.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = PersonalAction(options: options, done: "unread", already: "Already unread.") { inbox, messages in
            try await inbox.markUnread(messages.map(\.id))
        }
        try await action.run(ids)
    }
}
