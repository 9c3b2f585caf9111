import ArgumentParser
import InboxClient

/// `inbox archive`: moves messages to the archive, or back.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Put messages into the archive.",
        discussion: """
            Examples:
              inbox archive x4k2p9
              inbox archive --undo x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Flag(help: "Take them out of the archive, back into the inbox.")
    var undo = false

    @Argument(help: ArgumentHelp("The messages' ids, or their ends.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = PersonalAction(
            options: options,
            done: undo ? "back in the inbox" : "archived",
            already: undo ? "Not in the archive." : "Already in the archive."
        ) { inbox, messages in
            let ids = messages.map(\.id)
            return undo ? try await inbox.unarchive(ids) : try await inbox.archive(ids)
        }
        try await action.run(ids)
    }
}

/// `inbox delete`: deletes messages, or restores them.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete messages.",
        discussion: """
            They are hidden on every device, and gone for good after 30 days. Until then --undo brings them back; \
            inbox list --filter deleted shows them.

            Examples:
              inbox delete x4k2p9
              inbox delete --undo x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Flag(help: "Bring them back.")
    var undo = false

    @Argument(help: ArgumentHelp("The messages' ids, or their ends.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = PersonalAction(
            options: options,
            done: undo ? "brought back" : "deleted",
            already: undo ? "Not deleted." : "Already deleted."
        ) { inbox, messages in
            let ids = messages.map(\.id)
            return undo ? try await inbox.undelete(ids) : try await inbox.delete(ids)
        }
        try await action.run(ids)
    }
}
