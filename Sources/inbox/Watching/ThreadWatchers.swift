import Foundation
import InboxClient
import InboxMail

/// A watcher for a person: the threads on the whole terminal, redrawn in place after each change.
struct ThreadScreenWatcher: Watcher {
    let user: String
    let people: MailPeople
    private let screen = Screen()
    private static let empty = "No mails. New ones appear automatically."

    func begin() { screen.open() }
    func end() { screen.close() }

    func show(_ state: WatchState<MailSnapshot<MailThread>>, after event: WatchEvent<MailSnapshot<MailThread>>) {
        let size = Terminal.size
        guard let snapshot = state.snapshot else { return }
        let frame = WatchFrame(
            name: user,
            connection: state.connection,
            login: MailLogin.command,
            unread: snapshot.counts.unreadInInbox,
            total: snapshot.counts.inInbox,
            hasPendingWrites: snapshot.pendingWrites > 0,
            footer: "Ctrl-C quits. In another terminal: inbox mail read ID, inbox mail archive ID"
        )
        let table = ThreadTable(width: size.columns, now: Date(), people: people)
        let lines =
            snapshot.items.isEmpty
            ? [" " + ANSIStyle.dim(snapshot.hasSynced ? Self.empty : "Nothing received from the server yet.")]
            : table.lines(snapshot.items)
        screen.draw(frame.lines(around: lines, linesPerItem: table.linesPerItem, noun: "thread", size: size))
    }
}

/// A watcher for a file or a pipe: one line per existing, new or changed thread.
struct ThreadLineWatcher: Watcher {
    let people: MailPeople
    private var lines = ChangeLines<MailThread>()
    private var connection = ConnectionReporter(login: MailLogin.command)

    init(people: MailPeople) {
        self.people = people
    }

    mutating func show(
        _ state: WatchState<MailSnapshot<MailThread>>,
        after event: WatchEvent<MailSnapshot<MailThread>>
    ) {
        if case .connection = event { connection.report(state.connection) }
        guard case .snapshot(let snapshot) = event else { return }
        lines.show(snapshot.items) { thread, old, isInitial in
            let isNew = !isInitial && thread.messageCount > old?.messageCount ?? 0
            return ChangeLines.Line(
                time: old == nil || isNew ? thread.lastMessageDate : Date(),
                what: thread.isUnread ? (isNew ? "new" : "unread") : "read",
                text: "\(people.line(thread, limit: 40))  \(thread.headline)"
            )
        }
    }
}
