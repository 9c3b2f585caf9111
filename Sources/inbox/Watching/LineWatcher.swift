import Foundation
import InboxClient

/// A watcher for a file or a pipe: one line per existing, new or changed message.
struct LineWatcher: Watcher {
    private var known: [String: Message]?
    private var connection = ConnectionReporter(login: "inbox login")

    mutating func show(_ state: WatchState<InboxSnapshot>, after event: WatchEvent<InboxSnapshot>) {
        if case .connection = event { connection.report(state.connection) }
        guard case .snapshot(let snapshot) = event else { return }
        let before = known ?? [:]
        // Oldest first, so that the newest is the last line.
        for message in snapshot.items.reversed() where before[message.id] != message {
            printLine(message, previous: before[message.id], isInitial: known == nil)
        }
        let currentIDs = Set(snapshot.items.map(\.id))
        for message in before.values.sorted(by: { $0.id < $1.id }) where !currentIDs.contains(message.id) {
            Output.line("\(ShortTime.exact(Date()))  \(message.shortID)  gone    \(message.headline)")
        }
        known = Dictionary(snapshot.items.map { ($0.id, $0) }) { first, _ in first }
    }

    private func printLine(_ message: Message, previous old: Message?, isInitial: Bool) {
        let what = message.isUnread ? (old == nil && !isInitial ? "new" : "unread") : "read"
        let body = message.body.plainLine
        let text = body.isEmpty || body == message.headline ? message.headline : "\(message.headline)  \(body)"
        let time = old == nil ? message.deliverAt : Date()
        Output.line("\(ShortTime.exact(time))  \(message.shortID)  \(what.padded(to: 6))  \(text)")
    }
}
