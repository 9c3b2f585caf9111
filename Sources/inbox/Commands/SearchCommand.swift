import ArgumentParser
import Foundation
import Groundwork
import InboxClient

/// `inbox search`: the messages with all words.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search messages for words, newest first.",
        discussion: """
            Each word has to be in the title or the text, whatever its case and accents; it may be a part of a longer \
            one. At most \(MessageSearch.maximumWordCount) words are looked for. Syncs first, and fetches messages \
            that aren't stored on this device; without the server, the stored ones are searched.

            Examples:
              inbox search parcel friday
              inbox search --filter archived invoice
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("The words, all of which have to match.", valueName: "words"))
    var words: [String]

    @Option(
        help: ArgumentHelp(
            "The messages to search: active (all but the deleted ones), inbox, unread, read, archived, snoozed, "
                + "deleted.",
            valueName: "which"
        ),
        transform: FilterOptions.named
    )
    var filter = MessageFilter.active

    @Option(help: ArgumentHelp("Only messages of this surface.", valueName: "name"))
    var surface: String?

    @Option(help: ArgumentHelp("The maximum number of results.", valueName: "n"))
    var limit = 50

    @Flag(help: "Search stored data only, without contacting the server.")
    var offline = false

    @Flag(help: "Print a table with one line per message.")
    var compact = false

    @Flag(help: "Print a JSON object: messages, counts, pendingWrites, isComplete, hasSynced, synced.")
    var json = false

    private var text: String { words.joined(separator: " ") }

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit has to be at least 1.") }
        guard !MessageSearch.words(of: text).isEmpty else { throw ValidationError("The words are missing.") }
        guard text.utf8.count <= MessageSearch.maximumSize else {
            throw ValidationError("The words have more than \(MessageSearch.maximumSize) bytes.")
        }
    }

    func run() async throws {
        let inbox = try await deviceOptions.device.open()
        var query = Query<Message>(where: MessageSearch.predicate(text))
        query.limit = limit
        let reading = ListReading(query: query, filter: filter, surface: surface, offline: offline)
        let (snapshot, outcome) = try await reading.read(inbox)
        if json {
            var object = snapshot.json
            object["synced"] = .bool(outcome.isSynced)
            Output.line(JSON.object(object).description)
        } else if snapshot.items.isEmpty {
            Output.line("Nothing found.")
        } else {
            for line in try await lines(snapshot.items, in: inbox) { Output.line(line) }
        }
        if !json, let note = note(snapshot) { Output.note("inbox: \(note)") }
        await inbox.close()
        try outcome.requireLogin()
    }

    private func lines(_ messages: [Message], in inbox: Inbox) async throws -> [String] {
        let (width, now) = (Terminal.size.columns, Date())
        if compact { return MessageTable(width: width, now: now, hasPinnedFirst: false).lines(messages) }
        let settings = try await SurfaceSettings(of: Set(messages.map(\.surface)), in: inbox)
        return CardList(width: width, now: now, settings: settings, surface: nil, hasPinnedFirst: false)
            .lines(messages)
    }

    /// The note about messages that aren't shown or weren't searched, or nil.
    private func note(_ snapshot: InboxSnapshot) -> String? {
        if snapshot.items.count >= limit { return "Showing the first \(limit). Use --limit to see more." }
        return snapshot.isComplete ? nil : "Messages that aren't stored on this device weren't all searched."
    }
}
