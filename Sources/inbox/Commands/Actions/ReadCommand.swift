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

    @Option(help: ArgumentHelp("With --all: only messages of this surface.", valueName: "name"))
    var surface: String?

    func validate() throws {
        guard ids.isEmpty || !all else { throw ValidationError("Give only one of --all and the ids of messages.") }
        guard all || surface == nil else { throw ValidationError("--surface needs --all.") }
    }

    func run() async throws {
        guard !ids.isEmpty || all else { throw ValidationError("The messages are missing. Give their ids, or --all.") }
        let action = MessageCommandAction(
            options: options,
            doneText: "read",
            unchangedText: all ? "No unread messages." : "Already read."
        )
        try await action.run(all ? .markAllRead(surface: surface) : .change(.markRead, references: ids))
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
        let action = MessageCommandAction(options: options, doneText: "unread", unchangedText: "Already unread.")
        try await action.run(.change(.markUnread, references: ids))
    }
}
