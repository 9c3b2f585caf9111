package import Groundwork

extension WriteTransaction {
    /// The number of people who have acted on a broadcast up to which it is removed in one transaction.
    private static let actedLimit = 10_000

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
            if last == nil, try !isBroadcastOfMany(message) { return false }
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

    #if PostgreSQL
        private func isBroadcastOfMany(_ message: MessageID) throws -> Bool {
            let row = try db.row(
                """
                SELECT 1 FROM message WHERE id = ?1 AND recipients IS NULL AND state = 1 AND ?2 = (
                    SELECT count(*) FROM (SELECT 1 FROM delivery WHERE message = ?1 AND state = 1 LIMIT ?2) AS acted
                )
                """,
                [message.rawValue, Self.actedLimit + 1]
            )
            return row != nil
        }
    #endif

    /// Hides a part of a broadcast that is to be recalled, as ``hidePart(of:_:)`` does. From then on its removal is
    /// due, also if the server that recalls it is killed.
    ///
    /// - Returns: Whether a part was hidden. Otherwise the message can be recalled.
    package func beginRecall(of message: MessageID, _ done: Locked<[Int: Int]>) throws -> Bool {
        lock(message)
        guard try hidePart(of: message, done) else { return false }
        try schedule(.expire, message: message, at: now)
        return true
    }
}
