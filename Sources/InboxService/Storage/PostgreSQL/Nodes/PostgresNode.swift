#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// A server among those that share a database: it has a number, announces what it commits, and hears of what the
    /// others commit.
    ///
    /// A group of commits is announced by one `NOTIFY` after it, on a connection of its own: within the group's own
    /// transaction, it would hold a lock of the whole database while the disk is synced, and the commits of all servers
    /// would wait for each other. What is announced within a few milliseconds is one notification.
    ///
    /// What a server couldn't announce because it was killed is found by its row (``GroupTracker``).
    ///
    /// A server that finds no other one in the rows is alone for ``lease`` from then on, and answers from memory. It
    /// may do so because each server that comes writes nothing for ``arrival``, which is longer.
    final class PostgresNode: Sendable {
        private struct State: Sendable {
            var number: NodeNumber
            var waiting = Announcement()
            /// Whether the outcome of a commit is unknown, and none has followed.
            var hasUnknownOutcome = false
            /// The number of commits of unknown outcome.
            var unknownOutcomes = 0
            var isClosed = false
            /// When the server may write, after it has acquired a number.
            var writesFrom: ContinuousClock.Instant
        }

        private struct Contact: Sendable {
            var isListening = false
            /// The time of the latest read of all servers' rows.
            var readAt: ContinuousClock.Instant?
            /// Since when each read of the rows has succeeded.
            var steadySince: ContinuousClock.Instant?
            /// Until when no other server writes. Nil if there may be one.
            var aloneUntil: ContinuousClock.Instant?
        }

        /// What the server hears, for one reader: of the listener, and the latest groups of the others.
        let listener: PostgresListener
        private let control: PostgresPool
        // What it knows of the other servers. Accessed only in `withLock`, from any thread.
        private let contact = Locked(Contact())
        // Accessed only in `withLock`, from any thread.
        private let state: Locked<State>
        private let rowsRead = Locked<(@Sendable (NodeRows) -> Void)?>(nil)
        private let outcomeUnknown = Locked<(@Sendable () -> Void)?>(nil)
        private let announced = WakeUp()
        private let tasks = Locked<[Task<Void, Never>]>([])

        /// The channel of the notifications.
        static let channel = "inbox"
        /// The least time between two notifications of a server.
        private static let window = Duration.milliseconds(5)
        /// The time between two reads of the rows of all servers.
        static let interval = Duration.milliseconds(250)
        /// The time for which a read of the rows counts as hearing the others.
        static let trust = Duration.seconds(5)
        /// The time for which a server is alone after it has found no other one.
        static let lease = Duration.seconds(1)
        /// The time for which a server that comes writes nothing if there may be another one.
        static let arrival = Duration.milliseconds(1_500)
        /// The number of reads after which a sign of life is given: 2 seconds.
        private static let renewal = 8
        /// The time for which a server that stops tries to announce what it has committed.
        private static let farewell = Duration.seconds(2)

        /// Acquires a number, and begins to listen and to announce.
        ///
        /// - Throws: ``ServerSetupError``, `PostgresError`.
        init(_ settings: PostgresSettings) async throws {
            var limits = PostgresPool.Limits()
            limits.connections = 1
            limits.use = 5
            control = PostgresPool(settings, limits: limits)
            do {
                let (number, rows) = try await control.run { connection in
                    let number = try NodeNumber.acquire(connection)
                    return (number, try NodeRows(connection, of: number))
                }
                let isFirst = rows.isAlone && !number.isTaken
                state = Locked(State(number: number, writesFrom: isFirst ? .now : .now + Self.arrival))
                listener = try PostgresListener(settings, channels: [Self.channel])
            } catch {
                await control.close()
                throw error
            }
            tasks.withLock { $0 = [Task { await self.announceAll() }, Task { await self.watchRows() }] }
        }

        /// The server's number, with the latest group and message.
        var number: NodeNumber { state.withLock { $0.number } }

        /// Whether the server learns what the others commit: it hears their notifications, or has read their rows
        /// within ``trust``.
        var hearsOthers: Bool {
            contact.withLock { contact in
                contact.isListening || contact.readAt.map { ContinuousClock.now - $0 <= Self.trust } ?? false
            }
        }

        /// Whether no other server writes, and this one has heard of everything that others wrote before. Then what is
        /// in memory is the latest.
        var isAlone: Bool { contact.withLock { $0.aloneUntil.map { ContinuousClock.now < $0 } ?? false } }

        /// Notes whether a read has found no other server, and everything has been heard of that was committed before.
        func setAlone(_ isAlone: Bool, readAt: ContinuousClock.Instant) {
            // Locked around both, so that an outcome that becomes unknown meanwhile isn't overwritten.
            contact.withLock { contact in
                contact.aloneUntil = isAlone && !mayCommitLate ? readAt + Self.lease : nil
            }
        }

        /// Whether a commit of this server, of which no outcome is known, may still take place.
        private var mayCommitLate: Bool {
            state.withLock { $0.hasUnknownOutcome }
        }

        /// Returns the number for a group of commits. Blocks the thread until this server may write with it: others
        /// that were alone know then that they aren't any more.
        func numberForWriting() -> NodeNumber {
            while true {
                let (number, start) = state.withLock { ($0.number, $0.writesFrom) }
                let left = ContinuousClock.now.duration(to: start)
                guard left > .zero else { return number }
                Thread.sleep(forTimeInterval: left / .seconds(1))
            }
        }

        /// Notes whether notifications are heard.
        func setListening(_ isListening: Bool) {
            contact.withLock { $0.isListening = isListening }
        }

        /// Acquires another number, since the server has lost its own: it was stopped for a while, or cut off.
        ///
        /// - Parameter lost: The lost number. If the server has another one already, nothing is done.
        func renewNumber(_ lost: NodeNumber, _ connection: PostgresConnection) throws {
            guard number.session == lost.session else { return }
            // Before it too: nothing counts as heard of that isn't read.
            outcomeUnknown.withLock { $0 }?()
            let new = try NodeNumber.acquire(connection)
            let isFirst = state.withLock { state in
                guard state.number.session == lost.session else { return false }
                (state.number, state.writesFrom) = (new, .now + Self.arrival)
                // Those of the former number are found by its row.
                state.waiting.groups = nil
                return true
            }
            // The sign of life and a write may both find that it is lost.
            guard isFirst else { return try new.release(connection) }
            // Meanwhile another server may have announced groups with the lost number.
            outcomeUnknown.withLock { $0 }?()
        }

        /// Announces a group that was committed, or whose outcome isn't known.
        ///
        /// - Parameters:
        ///   - number: The number with which it was noted, and its own group and message.
        ///   - announcement: What it changed.
        func announce(_ number: NodeNumber, _ announcement: Announcement) {
            var announcement = announcement
            announcement.groups = number.group...number.group
            // Before the outcome counts as known, too: what it has changed isn't in memory.
            if mayCommitLate { outcomeUnknown.withLock { $0 }?() }
            let hadUnknownOutcome = state.withLock { state in
                defer { state.hasUnknownOutcome = false }
                // If the number is another one meanwhile, the groups of the former are found by its row.
                if state.number.session == number.session {
                    state.number = number
                } else {
                    announcement.groups = nil
                }
                state.waiting.merge(announcement)
                return state.hasUnknownOutcome
            }
            announced.signal()
            // This group has waited for a late end of the unknown one, at the row of this server.
            if hadUnknownOutcome { outcomeUnknown.withLock { $0 }?() }
        }

        /// Announces that anything may have changed, since the outcome of a commit is unknown.
        func announceUnknown() {
            state.withLock { state in
                state.waiting.isUnknown = true
                state.hasUnknownOutcome = true
                state.unknownOutcomes += 1
                // What was perhaps committed has the next number of a group, and ids of messages of this time.
                state.number.group += 1
                state.number.message += 1 << 24
            }
            contact.withLock { $0.aloneUntil = nil }
            announced.signal()
            outcomeUnknown.withLock { $0 }?()
        }

        /// Has a closure called with the rows of the servers, several times a second, as long as the database can be
        /// reached.
        func observeRows(_ body: @escaping @Sendable (NodeRows) -> Void) {
            rowsRead.withLock { $0 = body }
        }

        /// Has a closure called when changes may have been missed: after a commit of unknown outcome, and after the
        /// number was lost.
        func observeUnknownOutcomes(_ body: @escaping @Sendable () -> Void) {
            outcomeUnknown.withLock { $0 = body }
        }

        /// Reads the rows of the servers.
        func readRows() async throws -> NodeRows {
            let number = number
            return try await control.run { connection in try NodeRows(connection, of: number) }
        }

        /// Announces what was committed, and leaves the number to others.
        func close() async {
            state.withLock { $0.isClosed = true }
            announced.end()
            listener.stop()
            for task in tasks.withLock({ $0 }) {
                task.cancel()
                await task.value
            }
            let end = ContinuousClock.now + Self.farewell
            while await !send(), ContinuousClock.now < end { try? await Task.sleep(for: Self.interval) }
            let number = number
            _ = try? await control.run { connection in try number.release(connection) }
            await control.close()
        }

        // MARK: Announcing

        private func announceAll() async {
            for await _ in announced.signals {
                let isSent = await send()
                if !isSent { announced.signal() }
                try? await Task.sleep(for: isSent ? Self.window : Self.interval)
            }
        }

        /// Sends what waits.
        ///
        /// - Returns: Whether nothing is left.
        private func send() async -> Bool {
            let (number, announcement) = state.withLock { state in
                defer { state.waiting = Announcement() }
                return (state.number, state.waiting)
            }
            guard !announcement.isEmpty else { return true }
            let payloads = announcement.payloads(from: number.id)
            do {
                try await control.run { connection in
                    try connection.transaction { connection in
                        // What a crash of the database loses is read again, since all connections are lost with it.
                        connection.enqueue(.setLocal("synchronous_commit", "off"))
                        for payload in payloads {
                            connection.enqueue("SELECT pg_notify($1, $2)", [Self.channel, payload])
                        }
                    }
                }
                return true
            } catch {
                state.withLock { state in
                    var kept = announcement
                    // The number may be another one meanwhile.
                    if state.number.session != number.session { kept.groups = nil }
                    state.waiting.merge(kept)
                }
                return false
            }
        }

        // MARK: Watching

        private func watchRows() async {
            var round = 0
            while !Task.isCancelled {
                do {
                    if round % Self.renewal == 0 { try await renew() }
                    let rows = try await readRows()
                    contact.withLock { contact in
                        contact.readAt = .now
                        contact.steadySince = contact.steadySince ?? .now
                    }
                    rowsRead.withLock { $0 }?(rows)
                } catch {
                    // The database can't be reached: the next round tries again.
                    contact.withLock { $0.steadySince = nil }
                }
                round += 1
                try? await Task.sleep(for: Self.interval)
            }
        }

        private func renew() async throws {
            let number = number
            try await control.run { connection in
                if try !number.renew(connection) { try self.renewNumber(number, connection) }
                try self.endUnknown(connection)
                // Not after an outage, in which no server could give a sign of life.
                let steadySince = self.contact.withLock { $0.steadySince }
                if let steadySince, .now - steadySince > .milliseconds(NodeNumber.lifetime) {
                    try self.number.endSilent(connection)
                }
            }
        }

        /// Makes sure that a commit of unknown outcome has ended, since no group of this server may follow.
        private func endUnknown(_ connection: PostgresConnection) throws {
            let (number, outcomes) = state.withLock { ($0.hasUnknownOutcome ? $0.number : nil, $0.unknownOutcomes) }
            guard let number, try number.endUnknown(connection) else { return }
            // What it has changed is read before memory counts as the latest.
            outcomeUnknown.withLock { $0 }?()
            state.withLock { state in
                if state.unknownOutcomes == outcomes { state.hasUnknownOutcome = false }
            }
        }
    }
#endif
