import Foundation
import InboxClient

/// A watcher for a file or a pipe: one line per existing, new or changed message.
struct LineWatcher: Watcher {
    private var lines = ChangeLines<Message>()
    private var connection = ConnectionReporter(login: Login.command)

    mutating func show(_ state: WatchState<InboxSnapshot>, after event: WatchEvent<InboxSnapshot>) {
        if case .connection = event { connection.report(state.connection) }
        guard case .snapshot(let snapshot) = event else { return }
        lines.show(snapshot.items) { message, old, isInitial in
            let body = message.body.plainLine
            return ChangeLines.Line(
                time: old == nil ? message.deliverAt : Date(),
                what: message.isUnread ? (old == nil && !isInitial ? "new" : "unread") : "read",
                text: body.isEmpty || body == message.headline ? message.headline : "\(message.headline)  \(body)"
            )
        }
    }
}

/// Prints the items of a list that are new or have changed, and those that have left it: one line for each.
struct ChangeLines<Item: Referenceable & Equatable> {
    /// The text of an item, beside its id.
    struct Line {
        let time: Date
        /// A word for the event, of at most six characters.
        let what: String
        let text: String
    }

    /// The items that were printed last; nil at first.
    private var known: [String: Item]?

    /// Prints the changes since the last call.
    ///
    /// - Parameter line: Returns the line of an item that is new or has changed, of the item as it was before, and of
    ///   whether this is the first call.
    mutating func show(_ items: [Item], _ line: (_ item: Item, _ old: Item?, _ isInitial: Bool) -> Line) {
        let before = known ?? [:]
        // Oldest first, so that the newest is the last line.
        for item in items.reversed() where before[item.id] != item {
            output(line(item, before[item.id], known == nil), of: item)
        }
        let currentIDs = Set(items.map(\.id))
        for item in before.values.sorted(by: { $0.id < $1.id }) where !currentIDs.contains(item.id) {
            output(Line(time: Date(), what: "gone", text: item.headline), of: item)
        }
        known = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    }

    private func output(_ line: Line, of item: Item) {
        Output.line("\(ShortTime.exact(line.time))  \(item.shortID)  \(line.what.padded(to: 6))  \(line.text)")
    }
}
