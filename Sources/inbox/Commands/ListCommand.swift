import ArgumentParser
import Foundation
import Groundwork
import InboxClient

/// `inbox list`: the messages as cards, or as a table.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List messages: pinned ones first, then the newest.",
        discussion: """
            Syncs first, and fetches messages that aren't stored on this device. If the server can't be reached, a \
            note is written to standard error, and the stored messages are shown. Ids are abbreviated to their last \
            characters. Every command accepts any unique suffix. ● marks unread messages, ▲ pinned ones. Times use the \
            language of LC_ALL or LANG.

            Examples:
              inbox list --filter unread --limit 10
              inbox list --compact
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: FilterOptions

    @Flag(help: "Show stored data only, without contacting the server.")
    var offline = false

    @Flag(help: "Print a table with one line per message.")
    var compact = false

    @Flag(help: "Print a JSON object: messages, counts, pendingWrites, isComplete, hasSynced, synced.")
    var json = false

    func run() async throws {
        let inbox = try await deviceOptions.device.open()
        let outcome = try await SyncOutcome.attempt(inbox, offline: offline)
        if case .failed = outcome, let reason = outcome.reason {
            Output.note("inbox: Not up to date: \(reason).")
        }
        let snapshot = try await snapshot(inbox, isSynced: outcome.isSynced)
        if json {
            var object = snapshot.json
            object["synced"] = .bool(outcome.isSynced)
            Output.line(JSON.object(object).description)
        } else {
            for line in try await lines(snapshot, in: inbox) { Output.line(line) }
            if let note = limitNote(snapshot) { Output.note("inbox: \(note)") }
        }
        await inbox.close()
    }

    private func snapshot(_ inbox: Inbox, isSynced: Bool) async throws -> InboxSnapshot {
        let (query, filter) = (Query<Message>(limit: filterOptions.limit), filterOptions.filter)
        let stored = try await inbox.snapshot(of: query, in: filter, surface: filterOptions.surface)
        guard isSynced, !stored.isComplete else { return stored }
        do {
            return try await inbox.fetchSnapshot(of: query, in: filter, surface: filterOptions.surface)
        } catch let error as InboxError where error.code != .storage && error.code != .closed {
            Output.note("inbox: Some messages couldn't be fetched: \(error.description)")
            return stored
        }
    }

    /// The note about messages that aren't shown, or nil.
    private func limitNote(_ snapshot: InboxSnapshot) -> String? {
        let shown = snapshot.items.count
        guard snapshot.hasSynced else { return nil }
        let total: Int? =
            switch filterOptions.filter {
            case .inbox: snapshot.counts.total
            case .unread: snapshot.counts.unread
            case .snoozed: snapshot.counts.snoozed
            case .archived: snapshot.counts.archived
            case .read: snapshot.counts.total - snapshot.counts.unread
            case .active, .deleted: nil
            }
        if let total, total > shown { return "Showing \(shown) of \(total). Use --limit to see more." }
        return snapshot.isComplete ? nil : "Showing the first \(shown). Use --limit to see more."
    }

    private func lines(_ snapshot: InboxSnapshot, in inbox: Inbox) async throws -> [String] {
        let messages = snapshot.items
        let (width, now, surface) = (Terminal.size.columns, Date(), filterOptions.surface)
        if compact, !messages.isEmpty { return MessageTable(width: width, now: now).lines(messages) }
        let shownSurface = surface ?? Message.defaultSurface
        let settings = try await SurfaceSettings(of: Set(messages.map(\.surface) + [shownSurface]), in: inbox)
        guard messages.isEmpty else {
            return CardList(width: width, now: now, settings: settings, surface: surface).lines(messages)
        }
        guard snapshot.hasSynced else { return ["Nothing received from the server yet."] }
        let customLines = filterOptions.filter == .inbox ? settings[shownSurface].emptyLines : []
        return customLines.isEmpty ? [filterOptions.filter.emptyText] : customLines
    }
}
