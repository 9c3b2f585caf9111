import ArgumentParser
import InboxMail

/// `inbox mail archive`: moves threads to the archive, or back.
struct MailArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archive threads.",
        discussion: """
            Examples:
              inbox mail archive 7caef2
              inbox mail archive --undo 7caef2
            """
    )

    @OptionGroup var options: ActionOptions

    @Flag(help: "Move them back to the inbox.")
    var undo = false

    @Argument(help: ArgumentHelp("Thread ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = ThreadCommandAction(
            options: options,
            doneText: undo ? "back in the inbox" : "archived",
            unchangedText: undo ? "Not in the archive." : "Not in the inbox."
        ) { mail, ids in
            undo ? try await mail.unarchive(threads: ids) : try await mail.archive(threads: ids)
        }
        try await action.run(ids)
    }
}

/// `inbox mail star`: stars threads, or removes their stars.
struct MailStarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "star",
        abstract: "Star the latest mail of each thread.",
        discussion: """
            Examples:
              inbox mail star 7caef2
              inbox mail star --undo 7caef2
            """
    )

    @OptionGroup var options: ActionOptions

    @Flag(help: "Remove the stars from all their mails.")
    var undo = false

    @Argument(help: ArgumentHelp("Thread ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = ThreadCommandAction(
            options: options,
            doneText: undo ? "unstarred" : "starred",
            unchangedText: undo ? "Not starred." : "Already starred."
        ) { mail, ids in
            undo ? try await mail.unstar(threads: ids) : try await mail.star(threads: ids)
        }
        try await action.run(ids)
    }
}
