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
            Syncs first, and fetches messages that aren't stored on this device. If the server can't be reached, or \
            doesn't answer within 15 s, a note is written to standard error, and the stored messages are shown. Ids \
            are abbreviated to their last characters. Every command accepts any unique suffix. ● marks unread \
            messages, ▲ pinned ones. Times use the language of LC_ALL or LANG. On a terminal, the last line has the \
            number of each part.

            Pinned messages are the first of those shown, which with --limit are the newest. Those of --json are by \
            delivery, newest first.

            --older continues after the end of the list that this device has shown last, page by page, and \
            --before after a message: by delivery, newest first.

            Examples:
              inbox list --filter unread --limit 10
              inbox list --compact
              inbox list --older
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: FilterOptions

    @Flag(help: "Show the messages that follow in the list that was shown last.")
    var older = false

    @Option(help: ArgumentHelp("Show the messages that follow this one: its id, or a unique suffix.", valueName: "id"))
    var before: String?

    @Flag(help: "Show stored data only, without contacting the server.")
    var offline = false

    @Flag(help: "Print a table with one line per message.")
    var compact = false

    @Flag(help: "Print a JSON object: messages, counts, pendingWrites, isComplete, hasSynced, synced.")
    var json = false

    /// The number of messages of a page of older ones.
    private static let pageSize = 50

    func validate() throws {
        guard !(older && before != nil) else { throw ValidationError("Give only one of --older and --before.") }
    }

    func run() async throws {
        let device = deviceOptions.device
        let login = try device.login()
        let list = ListPosition.List(
            person: login.person,
            filter: filterOptions.filter,
            surface: filterOptions.surface
        )
        let inbox = try await device.open(login)
        let start = try await start(device, list, inbox)
        let reading = ListReading(
            query: Query(where: start?.following, limit: filterOptions.limit ?? start.map { _ in Self.pageSize }),
            filter: filterOptions.filter,
            surface: filterOptions.surface,
            offline: offline
        )
        let (snapshot, outcome) = try await reading.read(inbox)
        if json {
            var object = snapshot.json
            object["synced"] = .bool(outcome.isSynced)
            Output.line(JSON.object(object).description)
        } else {
            for line in try await lines(snapshot, isOlder: start != nil, in: inbox) { Output.line(line) }
            if Terminal.showsOutput { Output.line("\n" + TabLine(counts: snapshot.counts).text) }
            if let note = note(snapshot, isOlder: start != nil) { Output.note("inbox: \(note)") }
        }
        if let last = snapshot.items.last { ListPosition(last, in: list).save(device) }
        await inbox.close()
        try outcome.requireLogin()
    }

    /// Returns the position at which the list begins, or nil for its first message.
    private func start(_ device: Device, _ list: ListPosition.List, _ inbox: Inbox) async throws -> ListPosition? {
        if let before {
            let message = try await MessageReferences.find([before], in: inbox, offline: offline)[0]
            return ListPosition(message, in: list)
        }
        guard older else { return nil }
        guard let position = try ListPosition.read(device, in: list) else {
            throw Failure("--older continues a list, and this one wasn't the last that was shown. List it first.")
        }
        return position
    }

    /// The note about messages that aren't shown, or nil.
    private func note(_ snapshot: InboxSnapshot, isOlder: Bool) -> String? {
        let shown = snapshot.items.count
        guard snapshot.hasSynced else { return nil }
        if isOlder {
            let mayHaveMore = shown >= filterOptions.limit ?? Self.pageSize || !snapshot.isComplete
            return mayHaveMore && shown > 0 ? "Use --older to see more." : nil
        }
        let total: Int? =
            switch filterOptions.filter {
            case .inbox: snapshot.counts.total
            case .unread: snapshot.counts.unread
            case .snoozed: snapshot.counts.snoozed
            case .archived: snapshot.counts.archived
            case .read: snapshot.counts.total - snapshot.counts.unread
            case .active, .deleted: nil
            }
        let advice = "Use --limit to see more, or --older for what follows."
        if let total, total > shown { return "Showing \(shown) of \(total). \(advice)" }
        return snapshot.isComplete ? nil : "Showing the first \(shown). \(advice)"
    }

    private func lines(_ snapshot: InboxSnapshot, isOlder: Bool, in inbox: Inbox) async throws -> [String] {
        let messages = snapshot.items
        let (width, now, surface) = (Terminal.size.columns, Date(), filterOptions.surface)
        // Older messages, as search results, stay in their order: pinned ones don't come first.
        if compact, !messages.isEmpty {
            return MessageTable(width: width, now: now, hasPinnedFirst: !isOlder).lines(messages)
        }
        let shownSurface = surface ?? Message.defaultSurface
        let settings = try await SurfaceSettings(of: Set(messages.map(\.surface) + [shownSurface]), in: inbox)
        guard messages.isEmpty else {
            return CardList(
                width: width,
                now: now,
                settings: settings,
                surface: surface,
                hasPinnedFirst: !isOlder
            ).lines(messages)
        }
        guard snapshot.hasSynced else { return ["Nothing received from the server yet."] }
        guard !isOlder else { return ["No older messages."] }
        let customLines = filterOptions.filter == .inbox ? settings[shownSurface].emptyLines : []
        return customLines.isEmpty ? [filterOptions.filter.emptyText] : customLines
    }
}
