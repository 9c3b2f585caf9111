#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// A server among those that share a database: it has a number, announces its commits, and receives the
    /// announcements of the others.
    ///
    /// A group of commits is announced by one `NOTIFY` after it, in a transaction of its own: within the group's, it
    /// would hold a lock of the whole database while the disk is synced, and the commits of all servers would wait for
    /// each other. It is sent behind the commit, or else on a connection for such work. Announcements within a few
    /// milliseconds are one notification.
    ///
    /// Commits that a server couldn't announce because it was killed are found by its row (``GroupTracker``).
    ///
    /// ``NodeState`` makes the decisions. This class has the connections, the tasks and the clock.
    final class PostgresNode: ListeningNode {
        /// Listens, and opens its connection again.
        private let listener: PostgresListener
        // Called in `withLock`, on the listener's thread.
        private let receiver = Locked(Receiver())
        private let control: PostgresPool
        /// The settings of direct connections.
        private let settings: PostgresSettings
        /// The server's clock, which is compared with the database's. Nil if it isn't.
        private let clock: (any WallClock)?
        // Accessed only in `withLock`, from any thread.
        private let state: Locked<NodeState>
        private let plan = Locked(HeartbeatPlan())
        private let rowsRead = Locked<(@Sendable (NodeRows) -> Void)?>(nil)
        private let readFailed = Locked<(@Sendable (any Error) -> Void)?>(nil)
        private let outcomeUnknown = Locked<(@Sendable () -> Void)?>(nil)
        private let announced = WakeUp()
        private let tasks = Locked<[Task<Void, Never>]>([])

        /// The channel of the notifications.
        static let channel = "inbox"
        /// The time between two reads of the rows of all servers.
        static let interval = Duration.milliseconds(250)
        /// The time for which a server that stops tries to announce its commits.
        private static let announceTimeout = Duration.seconds(2)

        /// The receiver of the notifications.
        private struct Receiver: Sendable {
            var body: (@Sendable (PostgresListener.Event) -> Void)?
            var isListening = false

            mutating func receive(_ event: PostgresListener.Event) {
                switch event {
                case .listening: isListening = true
                case .cut: isListening = false
                case .notification: break
                }
                body?(event)
            }
        }

        /// Acquires a number, compares the clocks, and begins to listen and to announce.
        ///
        /// - Parameter clock: The server's clock. It is compared again with each heartbeat. Nil for no comparison.
        /// - Throws: ``ServerSetupError``, `PostgresError`.
        init(_ settings: PostgresSettings, comparing clock: (any WallClock)?) async throws {
            (self.clock, self.settings) = (clock, settings)
            var limits = PostgresPool.Limits()
            limits.connections = 1
            limits.use = 5
            control = PostgresPool(settings, limits: limits)
            do {
                let (number, rows, reading) = try await control.run { connection in
                    try LostCommits.refuse(in: connection)
                    let number = try NodeNumber.acquire(connection)
                    let rows = try NodeRows(connection, of: number)
                    return (number, rows, try clock.map { try ClockReading($0, connection) })
                }
                var state = NodeState(number: number, among: rows, at: .now)
                if let reading { state.noteClock(reading) }
                self.state = Locked(state)
                listener = try PostgresListener(settings, channels: [Self.channel]) { [receiver] event in
                    receiver.withLock { $0.receive(event) }
                }
            } catch {
                await control.close()
                throw error
            }
            tasks.withLock { $0 = [Task { await self.announceAll() }, Task { await self.watchRows() }] }
        }

        /// The server's number, with the latest group and message.
        var number: NodeNumber { state.withLock { $0.number } }

        var id: Int { number.id }

        func listen(_ receive: @escaping @Sendable (PostgresListener.Event) -> Void) {
            receiver.withLock { receiver in
                receiver.body = receive
                if receiver.isListening { receive(.listening) }
            }
        }

        var listeningError: (any Error)? { listener.failure }

        var receivesChanges: Bool { state.withLock { $0.receivesChanges(at: .now) } }

        /// Whether the database accepts writes, by the latest heartbeat.
        var acceptsWrites: Bool { state.withLock { $0.acceptsWrites(at: .now) } }

        /// Whether the server's user lacks tables of people or messages, or rights on them, by the latest heartbeat.
        var lacksRights: Bool { state.withLock { $0.lacksRights } }

        var clockDifference: Double { state.withLock { $0.clockDifference } }

        var isAlone: Bool { state.withLock { $0.isAlone(at: .now) } }

        var hasLostCommits: Bool { state.withLock { $0.hasLostCommits } }

        func noteLostCommits() { state.withLock { $0.noteLostCommits() } }

        func setAlone(_ isAlone: Bool, readAt: ContinuousClock.Instant) {
            state.withLock { $0.setAlone(isAlone, readAt: readAt) }
        }

        /// Returns the number for a group of commits. Blocks the thread until this server may write with it: others
        /// that were alone know then that they aren't any more.
        ///
        /// - Throws: ``ServerSetupError`` if the database has lost commits.
        func numberForWriting() throws -> NodeNumber {
            while true {
                let (number, start, hasLostCommits) = state.withLock { ($0.number, $0.writesFrom, $0.hasLostCommits) }
                if hasLostCommits { throw ServerSetupError("The database has lost commits that it had confirmed.") }
                let left = ContinuousClock.now.duration(to: start)
                guard left > .zero else { return number }
                Thread.sleep(forTimeInterval: left / .seconds(1))
            }
        }

        func setListening(_ isListening: Bool) {
            state.withLock { $0.setListening(isListening) }
        }

        /// Acquires another number, since the server has lost its own: it was stopped for a while, or cut off.
        ///
        /// - Parameters:
        ///   - lost: The lost number, before the group that has failed. The call has no effect if the server already
        ///     has another one.
        ///   - connection: The connection on which it is lost. One through a pooler isn't used: numbers are those of
        ///     the database to which direct connections lead.
        /// - Throws: ``ServerSetupError`` if the pooler leads to another database, where the number is missing;
        ///   `PostgresError`.
        func renewNumber(_ lost: NodeNumber, _ connection: PostgresConnection) throws {
            guard connection.settings.usesPooler else {
                // It waits as long as it takes, unlike a group, and counts nothing for the lost number.
                try connection.resetSession()
                return try take(state.withLock { $0.renewal(of: lost) }, connection)
            }
            let direct = try PostgresConnection(settings)
            defer { direct.close() }
            // A group also fails where the row is this server's and has that group or a later one.
            if let row = try NodeNumber.row(lost.id, direct), row.session == lost.session, row.groups <= lost.group {
                throw ServerSetupError(PoolerComparison.description)
            }
            try take(state.withLock { $0.renewal(of: lost) }, direct)
        }

        /// Marks what is in memory as outdated, after reads of another database: everything is read again.
        func readAgain() { outcomeUnknown.withLock { $0 }?() }

        /// Reads the server's own row on a direct connection. Nil if there is none, as its number was lost.
        func readOwnRow() async throws -> NodeNumber.Row? {
            let number = number
            return try await control.run { connection in
                guard let row = try NodeNumber.row(number.id, connection), row.session == number.session else {
                    return nil
                }
                return row
            }
        }

        /// Announces a group that was committed.
        ///
        /// - Parameters:
        ///   - number: The number with which it was noted, and its own group and message.
        ///   - announcement: The changes of the group.
        func announce(_ number: NodeNumber, _ announcement: Announcement) {
            state.withLock { $0.announce(number, announcement) }
            announced.signal()
        }

        /// Queues the announcement of the group that a transaction commits right behind its commit, unless another
        /// notification waits or was sent a moment ago. After the commit, ``announce(_:_:on:)`` is called all the same.
        func prepareNotification(
            of number: NodeNumber,
            _ announcement: Announcement,
            on connection: PostgresConnection
        ) throws {
            guard state.withLock({ $0.mayNotify(at: .now) }) else { return }
            var announcement = announcement
            announcement.groups = number.group...number.group
            let payloads = announcement.payloads(from: number.id)
            guard payloads.count == 1 else { return }
            let keep = { [state, announced, announcement] in
                state.withLock { $0.keep(announcement, of: number) }
                announced.signal()
            }
            try connection.follow(with: Self.notification(payloads[0], of: number), whenFailed: keep)
        }

        /// Announces a group as ``announce(_:_:)`` does, unless the notification was sent behind its commit.
        ///
        /// - Parameter connection: The one that has committed it.
        func announce(_ number: NodeNumber, _ announcement: Announcement, on connection: PostgresConnection) {
            guard connection.hasUnreadAnswer else { return announce(number, announcement) }
            state.withLock { $0.announced(number, announcement) }
        }

        /// A notification of groups up to one that was committed with a number: without that, it does nothing.
        ///
        /// At its end it takes a lock of the whole database, for which the group's limit of locks, as its session has
        /// it, doesn't hold: PostgreSQL would report that error in place of the end of the pipeline.
        static func notification(_ payload: String, of number: NodeNumber) -> PostgresStatement {
            PostgresStatement(
                """
                SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '0', true),
                    pg_notify($1, $2)
                FROM node WHERE id = $3::smallint AND session = $4 AND groups >= $5
                """,
                [channel, payload, number.id, number.session, number.group]
            )
        }

        /// Notifications that a crash of the database loses need no repeat: all connections are lost with it, and
        /// everything is read again. So nothing waits for the disk.
        private static func notification(_ payload: String) -> PostgresStatement {
            PostgresStatement(
                "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
                [channel, payload]
            )
        }

        /// Announces that anything may have changed, since the outcome of a commit is unknown.
        func announceUnknown() {
            state.withLock { $0.announceUnknown() }
            announced.signal()
            outcomeUnknown.withLock { $0 }?()
        }

        func observeRows(_ body: @escaping @Sendable (NodeRows) -> Void) {
            rowsRead.withLock { $0 = body }
        }

        func observeFailures(_ body: @escaping @Sendable (any Error) -> Void) {
            readFailed.withLock { $0 = body }
        }

        func observeUnknownOutcomes(_ body: @escaping @Sendable () -> Void) {
            outcomeUnknown.withLock { $0 = body }
        }

        func readRows() async throws -> NodeRows {
            let number = number
            return try await control.run { connection in try NodeRows(connection, of: number) }
        }

        /// Begins the shutdown. Waits for the database are cut short.
        func prepareToClose() { control.prepareToClose() }

        /// Announces the last commits, and releases the number.
        ///
        /// - Parameter limit: The time at which the database isn't waited for any more. What isn't announced then, and
        ///   the number, are found by this server's row.
        func close(until limit: ContinuousClock.Instant) async {
            announced.end()
            listener.stop()
            receiver.withLock { $0.body = nil }
            let ending = Task {
                guard (try? await Task.sleep(until: limit, clock: .continuous)) != nil else { return }
                await control.close(within: 0)
            }
            defer { ending.cancel() }
            for task in tasks.withLock({ $0 }) {
                task.cancel()
                await task.value
            }
            let end = min(ContinuousClock.now + Self.announceTimeout, limit)
            while await !send(), ContinuousClock.now < end { try? await Task.sleep(for: Self.interval) }
            let number = number
            _ = try? await control.run { connection in try number.release(connection) }
            await control.close()
        }

        // MARK: Announcing

        private func announceAll() async {
            for await _ in announced.signals {
                try? await Task.sleep(until: state.withLock { $0.nextAnnouncement }, clock: .continuous)
                guard await !send() else { continue }
                announced.signal()
                try? await Task.sleep(for: Self.interval)
            }
        }

        /// Sends the waiting announcement.
        ///
        /// - Returns: Whether nothing is left to be sent. If sending failed, it waits again.
        private func send() async -> Bool {
            let (number, announcement) = state.withLock { ($0.number, $0.beginSending()) }
            guard !announcement.isEmpty else { return true }
            let payloads = announcement.payloads(from: number.id)
            do {
                try await control.run { connection in
                    // Together they are one transaction.
                    _ = try connection.pipeline(payloads.map(Self.notification))
                }
                state.withLock { $0.endSending() }
                return true
            } catch {
                state.withLock { state in
                    state.keep(announcement, of: number)
                    state.endSending()
                }
                return false
            }
        }

        // MARK: Watching

        private func watchRows() async {
            while !Task.isCancelled {
                do {
                    let rows = try await control.run { connection in
                        // The connection may be another one than a moment ago: the pool replaces one that has ended.
                        let backend = connection.backend
                        if self.plan.withLock({ $0.isDue(on: backend) }) {
                            try self.renew(connection)
                            self.plan.withLock { $0.noteHeartbeat(on: backend) }
                        }
                        return try self.compareGroups(of: self.number, connection)
                    }
                    plan.withLock { $0.noteRead() }
                    state.withLock { $0.noteRead(at: .now) }
                    rowsRead.withLock { $0 }?(rows)
                } catch {
                    // The database can't be reached: the next round tries again.
                    state.withLock { $0.noteFailure((error as? PostgresError)?.kind, at: .now) }
                    readFailed.withLock { $0 }?(error)
                    plan.withLock { $0.noteFailure() }
                }
                try? await Task.sleep(for: Self.interval)
            }
        }

        /// Reads the rows of all servers, and compares them with the commits that were confirmed to this one. A loss is
        /// marked for the other servers, unless the database was restored under this one.
        ///
        /// - Parameter number: The server's number, which may be lost.
        @discardableResult
        private func compareGroups(of number: NodeNumber, _ connection: PostgresConnection) throws -> NodeRows {
            let confirmed = state.withLock { $0.confirmedGroups }
            let rows = try NodeRows(connection, of: number)
            let isLoss = state.withLock { $0.noteGroups(rows, confirmed: confirmed) }
            // Where it can't be stored, the next read tries again. This server writes nothing more in any case.
            if isLoss, !rows.hasLostCommits { try? LostCommits.mark(connection, by: number) }
            return rows
        }

        private func renew(_ connection: PostgresConnection) throws {
            if let clock {
                let reading = try ClockReading(clock, connection)
                state.withLock { $0.noteClock(reading) }
            }
            try take(state.withLock { $0.heartbeat() }, connection)
            let hasRights = try PostgresRequirements.hasRights(connection)
            state.withLock { $0.noteRights(hasRights) }
        }

        /// Takes steps, and those that follow from them.
        private func take(_ steps: [NodeState.Step], _ connection: PostgresConnection) throws {
            for step in steps { try take(take(step, connection), connection) }
        }

        /// Takes a step.
        ///
        /// - Returns: The next steps.
        private func take(_ step: NodeState.Step, _ connection: PostgresConnection) throws -> [NodeState.Step] {
            switch step {
            case .readAgain: outcomeUnknown.withLock { $0 }?()
            case .heartbeat(let number):
                let isOwn = try number.renew(connection) { isLocked in plan.withLock { $0.noteLock(isLocked) } }
                // A write may have acquired another one meanwhile.
                if !isOwn { plan.withLock { $0.noteLock(false) } }
                return state.withLock { $0.sentHeartbeat(with: number, isOwn: isOwn, at: .now) }
            case .acquire(let lost):
                // The number may be lost by a failover, with commits.
                try compareGroups(of: lost, connection)
                let new = try NodeNumber.acquire(connection, insteadOf: lost)
                // The connection of the heartbeats has that of the lost number's session.
                plan.withLock { $0.noteLock(false) }
                return state.withLock { $0.acquired(new, insteadOf: lost, at: .now) }
            case .release(let number): try number.release(connection)
            case .endUnknown(let number, let outcomes):
                let isOwn = try number.endUnknown(connection)
                if !isOwn { try compareGroups(of: number, connection) }
                return state.withLock { $0.endedUnknown(outcomes, isOwn: isOwn, at: .now) }
            case .settle(let outcomes): state.withLock { $0.settle(outcomes) }
            case .endSilent(let number): try number.endSilent(connection)
            case .endClaimsOfStoppedServers(let number):
                return try number.endClaimsOfStoppedServers(connection) ? [.readAgain] : []
            case .endUnfinished:
                try NodeNumber.endUnfinished(connection)
                state.withLock { $0.endedUnfinished() }
            }
            return []
        }
    }
#endif
