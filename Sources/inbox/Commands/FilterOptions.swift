import ArgumentParser
import InboxClient

/// The filter of the shown messages.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The messages to show: inbox (the default), unread, read, archived, snoozed, active (all but the deleted "
                + "ones), deleted.",
            valueName: "which"
        ),
        transform: FilterOptions.named
    )
    var filter = MessageFilter.inbox

    @Option(help: ArgumentHelp("Only messages of this surface.", valueName: "name"))
    var surface: String?

    @Option(help: ArgumentHelp("The maximum number of messages.", valueName: "n"))
    var limit: Int?

    /// Returns the filter of a name.
    ///
    /// - Throws: `ValidationError` with the known names for another one.
    static func named(_ text: String) throws -> MessageFilter {
        guard let filter = MessageFilter(rawValue: text) else {
            let names = MessageFilter.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("The filters are \(names).")
        }
        return filter
    }

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit has to be at least 1.") }
    }
}

extension MessageFilter {
    /// The text for an empty list.
    var emptyText: String {
        switch self {
        case .inbox, .active: "No messages."
        case .unread: "No unread messages."
        case .read: "No read messages."
        case .snoozed: "No snoozed messages."
        case .archived: "The archive is empty."
        case .deleted: "No deleted messages."
        }
    }
}
