import Foundation
package import Groundwork

extension WriteTransaction {
    /// Hides a broadcast, which is then removed, from a part of those who have acted on it, if they are many. The rows
    /// of all of them would take one transaction minutes, in which this server stores nothing else, and more than it
    /// may take in the end. A part is a partition of PostgreSQL.
    ///
    /// No state changes by it: the removal is reported to everyone at once, after the last part.
    ///
    /// - Parameter done: The numbers of parts that were hidden, by message. It may be wrong: the removal hides what is
    ///   left.
    /// - Returns: Whether a part was hidden. Otherwise the broadcast can be removed.
    func hidePart(of message: MessageID, _ done: Locked<[Int: Int]>) throws -> Bool {
        #if PostgreSQL
            guard case .postgres(let transaction) = db, transaction.namesPartitions else { return false }
            let last = done.withLock { $0[message.rawValue] }
            if last == nil, try !reading.isBroadcastOfMany(message) { return false }
            let part = last ?? 0
            guard part < PostgresSchema.partitions else {
                done.withLock { $0[message.rawValue] = nil }
                return false
            }
            let table = PostgresSchema.partition(part, of: "delivery")
            transaction.enqueue(
                .init(
                    "UPDATE \(table) SET state = 2 WHERE message = ? AND state < 2",
                    [message.rawValue],
                    isRare: true
                )
            )
            done.withLock { $0[message.rawValue] = part + 1 }
            return true
        #else
            return false
        #endif
    }

    /// The time in seconds after which other servers remove a broadcast of which one has hidden a part to recall it.
    private static let recallTime = 30.0

    /// Hides a part of a broadcast that is to be recalled, as ``hidePart(of:_:)`` does. If the server that recalls it
    /// is killed, the others remove it.
    ///
    /// - Returns: Whether a part was hidden. Otherwise the message can be recalled.
    package func beginRecall(of message: MessageID, _ done: Locked<[Int: Int]>) throws -> Bool {
        lock(message)
        guard try hidePart(of: message, done) else { return false }
        try schedule(.expire, message: message, at: now.addingTimeInterval(Self.recallTime))
        return true
    }
}

extension ReadTransaction {
    /// The number of people who have acted on a broadcast up to which it is removed in one transaction.
    private static let actedLimit = 10_000

    /// Returns whether a message is a broadcast that is shown and on which many have acted. Each person's partition is
    /// looked at for a broadcast alone.
    package func isBroadcastOfMany(_ message: MessageID) throws -> Bool {
        let shown = "SELECT 1 FROM message WHERE id = ? AND recipients IS NULL AND state = 1"
        guard try db.row(SQLText(shown), [message.rawValue]) != nil else { return false }
        let acted: Int? = try db.value(
            "SELECT count(*) FROM (SELECT 1 FROM delivery WHERE message = ? AND state = 1 LIMIT ?) AS acted",
            [message.rawValue, Self.actedLimit + 1]
        )
        return acted ?? 0 > Self.actedLimit
    }
}
