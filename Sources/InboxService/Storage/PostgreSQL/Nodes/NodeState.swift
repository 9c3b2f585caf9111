#if PostgreSQL
    import Groundwork

    /// The state of a server among those that share a database, without connections and clocks: its number, what it has
    /// to announce, and whether it is alone.
    ///
    /// A server that finds no other one in the rows is alone for ``lease`` from the start of that read on, and answers
    /// from memory. It may do so because each server that comes writes nothing for ``arrival``, which is longer.
    struct NodeState: Sendable {
        typealias Instant = ContinuousClock.Instant

        private(set) var number: NodeNumber
        /// The time from which the server may write, after it has acquired a number.
        private(set) var writesFrom: Instant
        private var waiting = Announcement()
        /// Whether the outcome of a commit is unknown, and none has followed: it may still take place.
        private(set) var mayCommitLate = false
        /// The number of commits of unknown outcome.
        private(set) var unknownOutcomes = 0
        private var isListening = false
        /// The time of the latest read of all servers' rows.
        private var readAt: Instant?
        /// Since when each read of the rows has succeeded.
        private var steadySince: Instant?
        /// Until when no other server writes. Nil if there may be one.
        private var aloneUntil: Instant?

        /// The time for which a read of the rows counts as hearing the others.
        static let trust = Duration.seconds(5)
        /// The time for which a server is alone after it has found no other one.
        static let lease = Duration.seconds(1)
        /// The time for which a server that comes writes nothing if there may be another one.
        static let arrival = Duration.milliseconds(1_500)

        /// - Parameters:
        ///   - number: The number that was acquired.
        ///   - isFirst: Whether no other server can have been alone when it was acquired.
        init(number: NodeNumber, isFirst: Bool, at now: Instant) {
            self.number = number
            writesFrom = isFirst ? now : now + Self.arrival
        }

        // MARK: Hearing

        /// Whether the server learns what the others commit: it hears their notifications, or has read their rows
        /// within ``trust``.
        func hearsOthers(at now: Instant) -> Bool {
            isListening || readAt.map { now - $0 <= Self.trust } ?? false
        }

        mutating func setListening(_ isListening: Bool) {
            self.isListening = isListening
        }

        /// Notes a read of the rows, or nil for one that failed.
        mutating func noteRead(at now: Instant?) {
            if let now { readAt = now }
            steadySince = now.map { steadySince ?? $0 }
        }

        /// Whether a server that is silent isn't cut off together with this one: no read of the rows has failed for as
        /// long as one may be silent.
        func isSteady(at now: Instant) -> Bool {
            steadySince.map { now - $0 > .milliseconds(NodeNumber.lifetime) } ?? false
        }

        /// Whether no other server writes, and this one has heard of everything that others wrote before.
        func isAlone(at now: Instant) -> Bool { aloneUntil.map { now < $0 } ?? false }

        /// Notes whether a read has found no other server, and everything has been heard of that was committed before.
        mutating func setAlone(_ isAlone: Bool, readAt: Instant) {
            aloneUntil = isAlone && !mayCommitLate ? readAt + Self.lease : nil
        }

        // MARK: Writing

        /// Notes that the server has another number instead of a lost one.
        ///
        /// - Returns: Whether it had the lost one until now.
        mutating func replace(_ lost: NodeNumber, with new: NodeNumber, at now: Instant) -> Bool {
            guard number.session == lost.session else { return false }
            (number, writesFrom) = (new, now + Self.arrival)
            // Those of the former number are found by its row.
            waiting.groups = nil
            return true
        }

        /// Notes what a group has changed, which was committed with a number.
        ///
        /// - Returns: Whether the outcome of an earlier commit was unknown. This one has waited for its end, at the row
        ///   of this server.
        mutating func announce(_ number: NodeNumber, _ announcement: Announcement) -> Bool {
            var announcement = announcement
            // If the number is another one meanwhile, the groups of the former are found by its row.
            if self.number.session == number.session {
                self.number = number
                announcement.groups = number.group...number.group
            } else {
                announcement.groups = nil
            }
            waiting.merge(announcement)
            defer { mayCommitLate = false }
            return mayCommitLate
        }

        /// Notes that anything may have changed, since the outcome of a commit is unknown.
        mutating func announceUnknown() {
            waiting.isUnknown = true
            mayCommitLate = true
            unknownOutcomes += 1
            aloneUntil = nil
            // What was perhaps committed has the next number of a group, and ids of messages of this time.
            number.group += 1
            number.message += 1 << 24
        }

        /// Notes that the commits of unknown outcome have ended, unless there was another one since.
        ///
        /// - Parameter outcomes: The number of them then.
        mutating func endUnknown(_ outcomes: Int) {
            if unknownOutcomes == outcomes { mayCommitLate = false }
        }

        // MARK: Announcing

        /// Returns what waits to be announced, which is sent now.
        mutating func takeWaiting() -> Announcement {
            defer { waiting = Announcement() }
            return waiting
        }

        /// Keeps what couldn't be sent.
        ///
        /// - Parameter number: The server's number when it was taken.
        mutating func keep(_ announcement: Announcement, of number: NodeNumber) {
            var kept = announcement
            // The number may be another one meanwhile.
            if self.number.session != number.session { kept.groups = nil }
            waiting.merge(kept)
        }
    }
#endif
