import ArgumentParser
import Foundation
import InboxMail

/// The filter of the shown threads.
struct ThreadFilterOptions: ParsableArguments {
    @Flag(help: "Only threads with an unread mail.")
    var unread = false

    @Flag(help: "Only threads with a starred mail.")
    var starred = false

    @Option(
        help: ArgumentHelp(
            "Threads in this mailbox, given by its name or path. (default: the inbox)",
            valueName: "name"
        )
    )
    var mailbox: String?

    @Flag(help: "Threads in all mailboxes.")
    var all = false

    @Option(help: ArgumentHelp("The maximum number of threads.", valueName: "n"))
    var limit = 50

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit has to be at least 1.") }
        guard !all || mailbox == nil else { throw ValidationError("Give only one of --mailbox and --all.") }
    }

    /// Returns the query of the threads that the options select.
    ///
    /// - Throws: ``Failure`` if the mailbox doesn't exist; `InboxError`.
    func query(in mail: Mail) async throws -> Query<MailThread> {
        let (unread, starred) = (unread, starred)
        let place: Predicate<MailThread>
        if let mailbox {
            let id = try MailboxNames(await mail.mailboxes()).find(mailbox).id
            place = #Predicate { $0.mailboxIDs.contains(id) && (!unread || $0.isUnread) && (!starred || $0.isStarred) }
        } else if all {
            place = #Predicate { (!unread || $0.isUnread) && (!starred || $0.isStarred) }
        } else {
            place = #Predicate { $0.isInInbox && (!unread || $0.isUnread) && (!starred || $0.isStarred) }
        }
        return Query(where: place, limit: limit)
    }

    /// The text for an empty list.
    var emptyText: String {
        if unread { return "No unread mails." }
        if starred { return "No starred mails." }
        return "No mails."
    }
}
