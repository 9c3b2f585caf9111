import ArgumentParser
import Foundation
import InboxCards
import InboxClient

/// `inbox snooze`: hides messages until a time.
struct SnoozeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Snooze messages: hide them until a time, at which they return to the inbox.",
        discussion: """
            The times of --until: \(SnoozeArgument.help) A time has to be in the future, and at most five \
            years away.

            Examples:
              inbox snooze x4k2p9
              inbox snooze x4k2p9 7wq0aa --until next-week
              inbox list --filter snoozed
            """
    )

    @OptionGroup var options: ActionOptions

    @Option(
        help: ArgumentHelp("The time at which they return. (default: tomorrow)", valueName: "when"),
        completion: .list(SnoozeArgument.names.map(\.name)),
        transform: SnoozeArgument.init(argument:)
    )
    var until = SnoozeArgument.option(.tomorrow)

    @Argument(help: ArgumentHelp("Message ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let change = MessageChange.snooze(
            until: try until.time(at: Date(), texts: TerminalLanguage.texts, timeZone: .current)
        )
        let action = MessageCommandAction(
            options: options,
            doneText: change.doneText,
            unchangedText: "Already \(change.doneText)."
        )
        try await action.run(.change(change, references: ids))
    }
}

/// `inbox unsnooze`: returns snoozed messages to the inbox.
struct UnsnoozeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsnooze",
        abstract: "Return snoozed messages to the inbox now.",
        discussion: """
            Example:
              inbox unsnooze x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("Message ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        let action = MessageCommandAction(
            options: options,
            doneText: MessageChange.unsnooze.doneText,
            unchangedText: "Not snoozed."
        )
        try await action.run(.change(.unsnooze, references: ids))
    }
}
