import ArgumentParser
import Foundation
import Groundwork
import InboxClient

/// `inbox list`: the messages as cards, or as a table.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List messages, pinned ones and then the newest first.",
        discussion: """
            Syncs first. Where the server can't be reached, says so on standard error and shows what this device holds. The ids \
            are the ends of the messages' ids; every command takes any end that only one message has. ● is unread, ▲ pinned. \
            Times are in the language that LC_ALL or LANG names.

            Examples:
              inbox list --filter unread --limit 10
              inbox list --compact
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: FilterOptions

    @Flag(help: "Show what this device holds, without asking the server.")
    var offline = false

    @Flag(help: "A table with a line for each message.")
    var compact = false

    @Flag(help: "Print a JSON object: messages, counts, pendingWrites, synced.")
    var json = false

    func run() async throws {
        let inbox = try await deviceOptions.device.open()
        let outcome = try await SyncOutcome.trying(inbox, offline: offline)
        if case .failed = outcome, let reason = outcome.reason {
            Output.note("inbox: Not up to date: \(reason).")
        }
        let messages = try await inbox.messages(
            filterOptions.filter,
            surface: filterOptions.surface,
            limit: filterOptions.limit
        )
        if json {
            let status = try await inbox.status()
            let snapshot = InboxSnapshot(
                messages: messages,
                counts: try await inbox.counts(surface: filterOptions.surface),
                pendingWrites: status.pendingWrites,
                hasSynced: status.lastSync != nil
            )
            var object = snapshot.json
            object["synced"] = .bool(outcome.isSynced)
            Output.line(JSON.object(object).description)
        } else {
            for line in try await lines(messages, in: inbox) { Output.line(line) }
        }
        await inbox.close()
    }

    private func lines(_ messages: [Message], in inbox: Inbox) async throws -> [String] {
        let (width, now, surface) = (Terminal.size.columns, Date(), filterOptions.surface)
        if compact, !messages.isEmpty { return MessageTable(width: width, now: now).lines(messages) }
        let place = surface ?? Message.defaultSurface
        let settings = try await SurfaceSettings(of: Set(messages.map(\.surface) + [place]), in: inbox)
        guard messages.isEmpty else {
            return CardList(width: width, now: now, settings: settings, surface: surface).lines(messages)
        }
        let own = filterOptions.filter == .inbox ? settings[place].emptyLines : []
        return own.isEmpty ? [filterOptions.filter.emptyText] : own
    }
}
