import ArgumentParser
import Foundation
import InboxClient

/// `inbox undo`: undoes the last action.
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last action of this tool on messages.",
        discussion: """
            Undoes read, unread, archive, delete, snooze and unsnooze, and what --undo did: of the messages that the \
            action changed, and as they were before. It undoes each action once.

            Example:
              inbox archive x4k2p9 && inbox undo
            """
    )

    @OptionGroup var options: ActionOptions

    func run() async throws {
        let device = options.deviceOptions.device
        guard let last = try LastAction.read(device, try device.login()) else {
            throw Failure("There is no action to undo.")
        }
        let count = last.action.ids.count
        let action = MessageCommandAction(
            options: options,
            doneText: "no longer \(last.action.kind.undoneText)",
            unchangedText: "Nothing to undo: \(counted(count, "message")) changed since."
        )
        try await action.run(.undo(last.action))
    }
}

extension MessageChange {
    /// The state that an undo takes from messages: "archived".
    fileprivate var undoneText: String {
        switch self {
        case .unarchive, .unsnooze, .undelete: "moved to the inbox"
        default: doneText
        }
    }
}
