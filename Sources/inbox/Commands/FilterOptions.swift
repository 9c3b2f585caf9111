import ArgumentParser
import InboxClient

/// The filter of the shown messages.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which messages: inbox, unread, read, archived, snoozed, active, deleted.",
            valueName: "which"
        ),
        transform: { text in
            guard let filter = MessageFilter(rawValue: text) else {
                throw ValidationError("There is no filter \"\(text.plainLine)\".")
            }
            return filter
        }
    )
    var filter = MessageFilter.inbox

    @Option(help: ArgumentHelp("Only those of this surface.", valueName: "name"))
    var surface: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
    var limit: Int?

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit has to be 1 or more.") }
    }
}

extension MessageFilter {
    /// The text for an empty list.
    var emptyText: String {
        switch self {
        case .inbox: "Nothing here. New messages appear by themselves."
        case .unread: "Nothing unread."
        case .read: "Nothing read yet."
        case .snoozed: "Nothing snoozed."
        case .archived: "The archive is empty."
        case .active: "No messages."
        case .deleted: "Nothing deleted."
        }
    }
}
