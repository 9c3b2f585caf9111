#if PostgreSQL
    /// The times at which a server sends a heartbeat: before each eighth read of the rows, 2 seconds apart; after a
    /// failure, since it shows that the database accepts writes again; and at once on a new connection, which doesn't
    /// have the lock of the server's session yet, and before each read until it has, also after the number was lost: a
    /// new one has a session of its own. Without that lock, a late server counts as dead.
    struct HeartbeatPlan: Sendable {
        /// The number of reads from one heartbeat to the next.
        static let interval = 8

        /// The number of reads since the latest heartbeat.
        private var reads = 0
        /// The process of PostgreSQL to whose connection the latest heartbeat was sent. Nil before the first one, and
        /// after a failure.
        private var backend: Int32?
        /// Whether the connection of the latest heartbeat has the lock of the server's session.
        private var isLocked = true

        /// Returns whether a heartbeat comes before the next read.
        ///
        /// - Parameter backend: The process of the connection.
        func isDue(on backend: Int32) -> Bool { backend != self.backend || !isLocked || reads >= Self.interval }

        /// Notes whether the connection of a heartbeat has the lock of the server's session.
        mutating func noteLock(_ isLocked: Bool) { self.isLocked = isLocked }

        /// Notes that a heartbeat was sent.
        mutating func noteHeartbeat(on backend: Int32) { (self.backend, reads) = (backend, 0) }

        /// Notes that the rows were read.
        mutating func noteRead() { reads += 1 }

        /// Notes that the rows couldn't be read, or the server's own couldn't be written.
        mutating func noteFailure() { backend = nil }
    }
#endif
