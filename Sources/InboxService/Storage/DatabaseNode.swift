/// A server's place among those that share its database.
protocol DatabaseNode: Sendable {
    /// The server's number among them.
    var id: Int { get }
    /// Whether no other server writes, and this one has received all earlier commits of others. Then the values in
    /// memory are the latest.
    var isAlone: Bool { get }
    /// Whether the server receives the others' commits.
    var receivesChanges: Bool { get }
    /// Whether the database has lost commits that it had confirmed, as by a failover to a standby that hadn't received
    /// them. Then the server writes nothing more.
    var hasLostCommits: Bool { get }
    /// The seconds by which this server's clock is ahead of the database's. Negative if it is behind, 0 if they agree
    /// or aren't compared.
    var clockDifference: Double { get }
}

extension DatabaseNode {
    var hasLostCommits: Bool { false }
}

#if PostgreSQL
    import Postgres

    /// A server's place as ``OtherServers`` needs it: with the other servers' rows and notifications.
    protocol ListeningNode: DatabaseNode {
        /// Calls a closure with each event of the connection that listens, in their order: at once with
        /// `listening`, if it does. One closure receives them.
        func listen(_ receive: @escaping @Sendable (PostgresListener.Event) -> Void)

        /// The reason for which no notifications are heard. Nil if they are, or if it isn't known.
        var listeningError: (any Error)? { get }

        /// Records whether notifications are heard.
        func setListening(_ isListening: Bool)

        /// Records whether a read has found no other server, and everything is known that was committed before.
        func setAlone(_ isAlone: Bool, readAt: ContinuousClock.Instant)

        /// Reads the rows of the servers.
        func readRows() async throws -> NodeRows

        /// Calls a closure with the rows of the servers, several times a second, as long as the database can be
        /// reached.
        func observeRows(_ body: @escaping @Sendable (NodeRows) -> Void)

        /// Calls a closure with the reason each time that the rows can't be read, or the server's own can't be written.
        func observeFailures(_ body: @escaping @Sendable (any Error) -> Void)

        /// Calls a closure when changes may have been missed: after a commit of unknown outcome, and after the
        /// number was lost.
        func observeUnknownOutcomes(_ body: @escaping @Sendable () -> Void)
    }

    extension ListeningNode {
        var listeningError: (any Error)? { nil }
    }
#endif
