import ArgumentParser
import InboxClient

/// `inbox archive`: moves messages to the archive, or back.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archive messages.",
        discussion: """
            Examples:
              inbox archive x4k2p9
              inbox archive --undo x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Flag(help: "Move them back to the inbox.")
    var undo = false

    @Argument(help: ArgumentHelp("Message ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = MessageCommandAction(
            options: options,
            doneText: undo ? "back in the inbox" : "archived",
            unchangedText: undo ? "Not in the archive." : "Already in the archive."
        )
        try await action.run(.change(undo ? .unarchive : .archive, references: ids))
    }
}

/// `inbox delete`: deletes messages, or restores them.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete messages.",
        discussion: """
            Deleted messages are hidden on every device, and are removed permanently after 30 days. Until then, --undo \
            restores them, and inbox list --filter deleted shows them.

            Examples:
              inbox delete x4k2p9
              inbox delete --undo x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Flag(help: "Restore them.")
    var undo = false

    @Argument(help: ArgumentHelp("Message ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = MessageCommandAction(
            options: options,
            doneText: undo ? "restored" : "deleted",
            unchangedText: undo ? "Not deleted." : "Already deleted."
        )
        try await action.run(.change(undo ? .undelete : .delete, references: ids))
    }
}
