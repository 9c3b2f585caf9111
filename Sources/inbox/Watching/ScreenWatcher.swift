import Foundation
import InboxClient

/// A watcher for a person: the list on the whole terminal, redrawn in place after each change.
struct ScreenWatcher: Watcher {
    let person: String
    let filter: MessageFilter
    private let screen = Screen()

    func begin() { screen.open() }
    func end() { screen.close() }

    func show(_ state: WatchState<InboxSnapshot>, after event: WatchEvent<InboxSnapshot>) {
        let size = Terminal.size
        guard let snapshot = state.snapshot else { return }
        let frame = WatchFrame(
            name: person,
            connection: state.connection,
            login: Login.command,
            unread: snapshot.counts.unread,
            total: snapshot.counts.total,
            hasPendingWrites: snapshot.pendingWrites > 0,
            footer: "Ctrl-C quits. In another terminal: inbox show ID, inbox read ID"
        )
        let table =
            snapshot.items.isEmpty
            ? [" " + ANSIStyle.dim(snapshot.hasSynced ? filter.emptyText : "Nothing received from the server yet.")]
            : MessageTable(width: size.columns, now: Date()).lines(snapshot.items)
        screen.draw(frame.lines(around: table, linesPerItem: 1, noun: "message", size: size))
    }
}
