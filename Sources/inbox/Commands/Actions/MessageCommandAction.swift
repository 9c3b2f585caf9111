import ArgumentParser
import Foundation
import Groundwork
import InboxClient

/// An action of the person on messages: stored first, then sent if the server can be reached. `inbox undo` undoes it.
struct MessageCommandAction {
    /// The action's kind.
    enum Action {
        /// A change of the referenced messages.
        case change(MessageChange, references: [String])
        /// All messages of the inbox, or of a surface, are marked as read.
        case markAllRead(surface: String?)
        /// An action is undone.
        case undo(UndoableAction)
    }

    let options: ActionOptions
    /// The past participle that follows the number: "read".
    let doneText: String
    /// The text to print if no message needed the change.
    let unchangedText: String

    /// Runs the action, syncs, and prints what was changed.
    ///
    /// - Throws: ``Failure`` if a reference matches no message.
    func run(_ action: Action) async throws {
        let device = options.deviceOptions.device
        let login = try device.login()
        let inbox = try await device.open(login)
        let refusals = RefusalCollector(inbox.refusedActions)
        let changed: [String]
        switch action {
        case .change(let change, let references):
            let messages = try await MessageReferences.find(references, in: inbox, offline: options.offline)
            changed = remember(try await UndoableAction(change, of: messages.map(\.id), in: inbox), device, login)
        case .markAllRead(let surface):
            changed = remember(try await UndoableAction(markingAllReadIn: inbox, surface: surface), device, login)
        case .undo(let action):
            changed = try await action.undo(in: inbox)
            try LastAction.remove(device)
        }
        let outcome = try await SyncOutcome.attempt(inbox, offline: options.offline)
        let pending = try await inbox.status().pendingWrites
        await inbox.close()
        let report = ActionReport(
            changed: changed,
            doneText: doneText,
            unchangedText: unchangedText,
            outcome: outcome,
            reason: outcome.reason,
            pendingWrites: pending,
            refused: await refusals.all()
        )
        try report.show(json: options.json)
    }

    /// Stores the action for `inbox undo`. One that changed nothing can't be undone, and the one before it still can.
    private func remember(_ action: UndoableAction, _ device: Device, _ login: Login) -> [String] {
        if !action.ids.isEmpty { LastAction(action: action, at: Date()).save(device, login) }
        return action.ids
    }
}

/// The options that the action commands share.
struct ActionOptions: ParsableArguments {
    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't contact the server. Changes are sent later.")
    var offline = false

    @Flag(help: "Print a JSON object: changed, sent, pendingWrites.")
    var json = false
}
