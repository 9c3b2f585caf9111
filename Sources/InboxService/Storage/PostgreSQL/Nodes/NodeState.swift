#if PostgreSQL
    import Groundwork
    import Postgres

    /// The state of a server among those that share a database, without connections and clocks: its number, its waiting
    /// announcement, and whether it is alone.
    ///
    /// A server that finds no other one in the rows is alone for ``lease`` from the start of that read on, and answers
    /// from memory. It may do so because each server that comes writes nothing for ``initialWritePause``, which is
    /// longer.
    struct NodeState: Sendable {
        typealias Instant = ContinuousClock.Instant

        private(set) var number: NodeNumber
        /// The time from which the server may write, after it has acquired a number.
        private(set) var writesFrom: Instant
        private var waiting = Announcement()
        /// Whether an announcement is being sent on a connection of its own. One of a later group, on another
        /// connection, could arrive before it, and receivers would find a gap.
        private var isSending = false
        /// The time from which the next notification may be sent.
        private(set) var nextAnnouncement = Instant.now
        /// Whether the outcome of a commit is unknown, and it may still take place.
        private var mayCommitLate = false
        /// The number of commits of unknown outcome.
        private var unknownOutcomes = 0
        private var isListening = false
        /// The time of the latest read of all servers' rows.
        private var readAt: Instant?
        /// The time of the latest heartbeat.
        private var heartbeatAt: Instant
        /// Whether no heartbeat was stored since the database lacked tables or rights.
        private var isIncomplete = false
        /// Whether the server's user lacked rights on people's tables or messages when it was last asked for them.
        private(set) var lacksRights = false
        /// The time since which each read of the rows has succeeded, and neither clock was set.
        private var steadySince: Instant?
        /// The latest comparison of the clocks.
        private var latestReading: ClockReading?
        /// The time at which the number was taken from a silent server, in whose connections a group may be unfinished.
        /// Nil if it wasn't, or if these were ended.
        private var takenAt: Instant?
        /// The time until which no other server writes. Nil if there may be one.
        private var aloneUntil: Instant?
        /// The numbers of the latest groups that were confirmed, by the numbers that the server has lost.
        private var former: [Int: Int] = [:]
        /// Whether the database doesn't have commits any more that it has confirmed.
        private(set) var hasLostCommits = false
        /// The seconds by which the server's clock is ahead of the database's. Negative if it is behind, 0 within
        /// ``clockLimit``.
        private(set) var clockDifference: Double = 0

        /// The least time between two notifications of a server: after one of a single person, who may be waiting for
        /// the next, and after one of several people. Each costs all servers work, and load leaves no time for more.
        private static let (shortWindow, window) = (Duration.milliseconds(5), Duration.milliseconds(20))
        /// The time for which a read of the rows counts as hearing the others.
        static let readValidity = Duration.seconds(5)
        /// The time for which the database counts as one that accepts writes after a heartbeat: longer than it takes
        /// until reads count as failed (``readValidity``), and several heartbeats.
        static let heartbeatValidity = Duration.seconds(8)
        /// The time for which a server is alone after it has found no other one.
        static let lease = Duration.seconds(1)
        /// The time for which a starting server writes nothing if there may be another one.
        static let initialWritePause = Duration.milliseconds(1_500)

        /// The difference of the clocks in seconds up to which the server's own is right: as ended tokens need it
        /// (``TokenStart/clockDifference``).
        static let clockLimit = Double(TokenStart.clockDifference)

        /// - Parameters:
        ///   - number: The number that was acquired.
        ///   - rows: The rows, read after that.
        init(number: NodeNumber, among rows: NodeRows, at now: Instant) {
            (self.number, heartbeatAt, takenAt) = (number, now, number.isTaken ? now : nil)
            // A server whose number was taken may still count as alone by its own clock.
            let isFirst = rows.isAlone && !number.isTaken
            writesFrom = isFirst ? now : now + Self.initialWritePause
        }

        // MARK: Hearing

        /// Whether the server receives the others' commits: it hears their notifications, or has read their rows within
        /// ``readValidity``.
        func receivesChanges(at now: Instant) -> Bool {
            isListening || readAt.map { now - $0 <= Self.readValidity } ?? false
        }

        mutating func setListening(_ isListening: Bool) {
            self.isListening = isListening
        }

        /// Records a read of the rows, or nil for one that failed.
        mutating func noteRead(at now: Instant?) {
            if let now { readAt = now }
            steadySince = now.map { steadySince ?? $0 }
        }

        /// The numbers of the latest groups that were confirmed to the server, by each number that it had.
        var confirmedGroups: [Int: Int] { former.merging([number.id: number.confirmed]) { max($0, $1) } }

        /// Records the rows. Their numbers of groups never fall unless the database has lost confirmed commits. They
        /// also have the mark of another server that has found this.
        ///
        /// - Parameter confirmed: ``confirmedGroups`` before the rows were read.
        /// - Returns: Whether the numbers show that commits are lost.
        @discardableResult
        mutating func noteGroups(_ rows: NodeRows, confirmed: [Int: Int]) -> Bool {
            if rows.hasLostCommits { noteLostCommits() }
            guard let latest = rows.latest, confirmed.contains(where: { id, group in latest[id] ?? 0 < group }) else {
                return false
            }
            noteLostCommits()
            return true
        }

        /// Records that the database doesn't have commits any more that it has confirmed.
        mutating func noteLostCommits() { hasLostCommits = true }

        /// Whether the database accepts writes: a heartbeat was stored within ``heartbeatValidity``, none has failed
        /// since because the database lacks tables or rights, and the user has those that most writes need.
        func acceptsWrites(at now: Instant) -> Bool {
            !isIncomplete && !lacksRights && now - heartbeatAt <= Self.heartbeatValidity
        }

        /// Records whether the server's user has the rights that most writes need.
        mutating func noteRights(_ areThere: Bool) { lacksRights = !areThere }

        /// Records that a heartbeat was stored, or that none can be because the disk is full: reads continue then, and
        /// the database's other servers have the same problem.
        mutating func noteHeartbeat(at now: Instant) {
            (heartbeatAt, isIncomplete) = (now, false)
        }

        /// Records that a heartbeat, or a read of the rows, has failed.
        mutating func noteFailure(_ kind: PostgresError.Kind?, at now: Instant) {
            noteRead(at: nil)
            switch kind {
            case .diskFull: noteHeartbeat(at: now)
            // Unlike a connection that was lost, it isn't back within a moment.
            case .incomplete: isIncomplete = true
            default: break
            }
        }

        /// Records a comparison of the server's clock with the database's. It is ignored if its round trip took too
        /// long to decide whether the difference is below ``clockLimit``.
        ///
        /// If one of them was set since the comparison before, by which heartbeats of all servers may look late, none
        /// counts as silent until they had the time to send others.
        mutating func noteClock(_ reading: ClockReading) {
            if latestReading?.isApart(from: reading) ?? false { steadySince = nil }
            latestReading = reading
            let (least, greatest) = (reading.ahead.lowerBound, reading.ahead.upperBound)
            if least > Self.clockLimit {
                clockDifference = least
            } else if greatest < -Self.clockLimit {
                clockDifference = greatest
            } else if least >= -Self.clockLimit && greatest <= Self.clockLimit {
                clockDifference = 0
            }
        }

        /// Whether a server that is silent isn't cut off together with this one, nor silent by a clock that was set: no
        /// read of the rows has failed for as long as one may be silent.
        ///
        /// - Parameter time: That time in milliseconds.
        private func isSteady(at now: Instant, for time: Int) -> Bool {
            steadySince.map { now - $0 > .milliseconds(time) } ?? false
        }

        /// Whether no other server writes, and this one has received all earlier commits of others.
        func isAlone(at now: Instant) -> Bool { aloneUntil.map { now < $0 } ?? false }

        /// Records whether a read has found no other server, and all earlier commits have been received.
        mutating func setAlone(_ isAlone: Bool, readAt: Instant) {
            aloneUntil = isAlone && !mayCommitLate ? readAt + Self.lease : nil
        }

        // MARK: Writing

        /// Adds the changes of a group, which was committed with a number, to the waiting announcement.
        mutating func announce(_ number: NodeNumber, _ announcement: Announcement) {
            var announcement = announcement
            // If the number has changed meanwhile, the groups of the former number are found by its row.
            if self.number.session == number.session {
                self.number = number
                self.number.confirmed = number.group
                announcement.groups = number.group...number.group
            } else {
                announcement.groups = nil
            }
            waiting.merge(announcement)
        }

        /// Whether a notification may be sent now for one group alone: none waits or is being sent, and none was sent a
        /// moment ago.
        func mayNotify(at now: Instant) -> Bool { waiting.isEmpty && !isSending && nextAnnouncement <= now }

        /// Records that a group was committed with a number, and announced.
        mutating func announced(_ number: NodeNumber, _ announcement: Announcement, at now: Instant = .now) {
            if self.number.session == number.session {
                self.number = number
                self.number.confirmed = number.group
            }
            nextAnnouncement = now + (announcement.isOfMany ? Self.window : Self.shortWindow)
        }

        /// Records that anything may have changed, since the outcome of a commit is unknown.
        mutating func announceUnknown() {
            waiting.isUnknown = true
            mayCommitLate = true
            unknownOutcomes += 1
            aloneUntil = nil
            // A commit of unknown outcome has the next number of a group, and ids of messages of this time.
            number.group += 1
            number.message += 1 << 24
        }

        // MARK: Announcing

        /// Returns and clears the waiting announcement, which is sent now.
        mutating func takeWaiting(at now: Instant = .now) -> Announcement {
            defer { waiting = Announcement() }
            if !waiting.isEmpty { nextAnnouncement = now + (waiting.isOfMany ? Self.window : Self.shortWindow) }
            return waiting
        }

        /// Returns and clears the waiting announcement as ``takeWaiting(at:)`` does. Until ``endSending()``, the others
        /// wait.
        mutating func beginSending(at now: Instant = .now) -> Announcement {
            let announcement = takeWaiting(at: now)
            isSending = !announcement.isEmpty
            return announcement
        }

        /// Records that the announcement of ``beginSending(at:)`` was sent, or couldn't be, and was kept.
        mutating func endSending() { isSending = false }

        /// Keeps what couldn't be sent.
        ///
        /// - Parameter number: The server's number when it was taken.
        mutating func keep(_ announcement: Announcement, of number: NodeNumber) {
            var kept = announcement
            // The number may have changed meanwhile.
            if self.number.session != number.session { kept.groups = nil }
            waiting.merge(kept)
        }
    }

    // MARK: Steps

    extension NodeState {
        /// A step that a server takes for its place among the others. Whoever has the connections takes the steps in
        /// their order, and then those that the report of a step returns.
        ///
        /// Between two steps anything else may happen: commits, reads of the rows, and the steps of another task.
        enum Step: Hashable, Sendable {
            /// Have everything read again that is in memory. Until then it doesn't count as the latest.
            case readAgain
            /// Send a heartbeat with a number, and report it by ``sentHeartbeat(with:isOwn:at:)``.
            case heartbeat(NodeNumber)
            /// Acquire another number instead of a lost one, and report it by ``acquired(_:insteadOf:at:)``.
            case acquire(insteadOf: NodeNumber)
            /// Leave a number to others.
            case release(NodeNumber)
            /// Have commits of unknown outcome end, and report it by ``endedUnknown(_:isOwn:at:)``.
            case endUnknown(NodeNumber, outcomes: Int)
            /// Note by ``settle(_:)`` that they have ended, and are read.
            case settle(outcomes: Int)
            /// Take the numbers of the other servers that are silent.
            case endSilent(NodeNumber)
            /// Leave what dead servers were posting to the others, and have it read where there was something.
            case endClaimsOfStoppedServers(NodeNumber)
            /// End the connections in which the server from which the number was taken has left a group unfinished, and
            /// report it by ``endedUnfinished()``.
            case endUnfinished
        }

        /// Returns the first step of a heartbeat.
        func heartbeat() -> [Step] { [.heartbeat(number)] }

        /// Records a heartbeat, and returns the next steps.
        ///
        /// - Parameter isOwn: Whether the number is still this server's.
        mutating func sentHeartbeat(with number: NodeNumber, isOwn: Bool, at now: Instant) -> [Step] {
            guard isOwn else { return renewal(of: number) }
            noteHeartbeat(at: now)
            // Perhaps no group of this server follows that would end them.
            if mayCommitLate { return [.endUnknown(self.number, outcomes: unknownOutcomes)] }
            return endingSilent(at: now)
        }

        /// Returns the steps of a server that has lost its number because it was stopped for a while, or cut off.
        ///
        /// - Parameter lost: The lost number. There are no steps if the server already has another one.
        func renewal(of lost: NodeNumber) -> [Step] {
            number.session == lost.session ? [.acquire(insteadOf: lost)] : []
        }

        /// Records that another number was acquired, and returns the next steps.
        mutating func acquired(_ new: NodeNumber, insteadOf lost: NodeNumber, at now: Instant) -> [Step] {
            noteHeartbeat(at: now)
            if new.isTaken { takenAt = now }
            // The heartbeat and a write may both find that it is lost.
            guard number.session == lost.session else { return [.release(new)] }
            former = confirmedGroups
            (number, writesFrom) = (new, now + Self.initialWritePause)
            // The groups of the former number are found by its row.
            waiting.groups = nil
            // Another server may have announced groups with the lost number. The row of that would show it later.
            return [.readAgain]
        }

        /// Returns the next steps after commits of unknown outcome had to end.
        ///
        /// - Parameters:
        ///   - outcomes: Their number.
        ///   - isOwn: Whether the server's number was still its own. Otherwise some of them may not have ended.
        func endedUnknown(_ outcomes: Int, isOwn: Bool, at now: Instant) -> [Step] {
            // Their changes are read before the values in memory count as the latest.
            (isOwn ? [.readAgain, .settle(outcomes: outcomes)] : []) + endingSilent(at: now)
        }

        /// Records that commits of unknown outcome have ended. Their changes are read before the values in memory count
        /// as the latest.
        ///
        /// - Parameter outcomes: Their count. It is ignored if there was another unknown outcome since.
        mutating func settle(_ outcomes: Int) {
            if unknownOutcomes == outcomes { mayCommitLate = false }
        }

        /// Records that no connection has a group any more that the server has left unfinished from which the number
        /// was taken.
        mutating func endedUnfinished() { takenAt = nil }

        /// Returns the steps that end what silent and dead servers have. None after an outage, in which no server could
        /// send a heartbeat, or after a clock was set.
        private func endingSilent(at now: Instant) -> [Step] {
            let limit = NodeNumber.lifetime
            guard isSteady(at: now, for: limit) else {
                return isSteady(at: now, for: 2 * NodeNumber.lateness) ? [.endClaimsOfStoppedServers(number)] : []
            }
            // A server whose number was taken by a clock that was set has sent its groups meanwhile.
            let hasUnfinished = takenAt.map { now - $0 > .milliseconds(limit) } ?? false
            return [.endClaimsOfStoppedServers(number), .endSilent(number)] + (hasUnfinished ? [.endUnfinished] : [])
        }
    }
#endif
