#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    @testable import InboxService

    /// A server's place among those that share a file, in place of ``PostgresNode``: what that does by tasks, this does
    /// when it is called. What both decide is ``NodeState``'s.
    final class SimulatedNode: ListeningNode {
        private let rows: SharedRows
        private let time: WorldTime
        private let state: Locked<NodeState>
        private let rowsRead = Locked<(@Sendable (NodeRows) -> Void)?>(nil)
        private let outcomeUnknown = Locked<(@Sendable () -> Void)?>(nil)
        private let losesConfirmation = Locked(false)
        /// What is left of a heartbeat.
        private let left = Locked<[NodeState.Step]>([])
        /// The connection that listens, by the first session.
        private let listener: Int

        init(_ rows: SharedRows, _ time: WorldTime) {
            (self.rows, self.time) = (rows, time)
            let number = rows.acquire(at: time.now)
            state = Locked(NodeState(number: number, among: rows.read(of: number), at: rows.now))
            listener = number.session
            rows.listen(listener)
        }

        var id: Int { number.id }
        private var number: NodeNumber { state.withLock { $0.number } }
        var isAlone: Bool { state.withLock { $0.isAlone(at: rows.now) } }
        var receivesChanges: Bool { state.withLock { $0.receivesChanges(at: rows.now) } }
        let clockDifference = 0.0
        /// None: the world has them heard.
        func listen(_ receive: @escaping @Sendable (PostgresListener.Event) -> Void) {}

        func setListening(_ isListening: Bool) { state.withLock { $0.setListening(isListening) } }

        func setAlone(_ isAlone: Bool, readAt: ContinuousClock.Instant) {
            state.withLock { $0.setAlone(isAlone, readAt: readAt) }
        }

        func readRows() async throws -> NodeRows { rows.read(of: number) }

        func observeRows(_ body: @escaping @Sendable (NodeRows) -> Void) { rowsRead.withLock { $0 = body } }

        /// What a world lets fail is a request's.
        func observeFailures(_ body: @escaping @Sendable (any Error) -> Void) {}

        func observeUnknownOutcomes(_ body: @escaping @Sendable () -> Void) { outcomeUnknown.withLock { $0 = body } }

        // MARK: Writing

        /// Waits until the server may write, and acquires another number if it has lost its own.
        func prepareWriting() {
            renewIfLost()
            let left = rows.now.duration(to: state.withLock { $0.writesFrom })
            if left > .zero { rows.advance(by: left) }
        }

        /// Finds that the number is lost as a commit does, which fails then.
        private func renewIfLost() {
            let number = number
            if !rows.has(number) { take(state.withLock { $0.renewal(of: number) }) }
        }

        /// Has the server not learn of its next commit whether it took place.
        func loseConfirmation() { losesConfirmation.withLock { $0 = true } }

        /// Has the server not learn of a commit that hasn't taken place yet.
        ///
        /// - Returns: The number with which it may still take place, or never.
        func loseCommit() -> NodeNumber {
            state.withLock { $0.announceUnknown() }
            outcomeUnknown.withLock { $0 }?()
            return number
        }

        /// Notes and announces a group that was committed.
        ///
        /// - Returns: What the server learns of it.
        func committed(_ effects: WriteEffects) -> WriteEffects {
            var number = number
            number.group += 1
            rows.note(number, at: time.now)
            let isUnknown = losesConfirmation.withLock { loses in
                defer { loses = false }
                return loses
            }
            guard !isUnknown else {
                _ = loseCommit()
                return WriteEffects(isIncomplete: true)
            }
            state.withLock { $0.announce(number, Announcement(effects)) }
            return effects
        }

        // MARK: What PostgresNode's tasks do

        /// What becomes of a notification.
        enum Sending { case sent, failed, unconfirmed }

        /// Sends what waits to be announced.
        func announceWaiting(_ sending: Sending = .sent) {
            let (number, announcement) = state.withLock { ($0.number, $0.takeWaiting()) }
            guard !announcement.isEmpty else { return }
            if sending != .failed {
                for payload in announcement.payloads(from: number.id) { rows.notify(payload) }
            }
            if sending != .sent { state.withLock { $0.keep(announcement, of: number) } }
        }

        /// Sends a heartbeat, and reads the rows.
        func watchRows() {
            beginHeartbeat()
            while isSendingHeartbeat { goOn() }
            reportRows()
        }

        /// Begins to send a heartbeat. Its steps are taken by ``goOn()``.
        func beginHeartbeat() {
            let steps = state.withLock { $0.heartbeat() }
            left.withLock { $0 += steps }
        }

        /// Whether a heartbeat isn't complete.
        var isSendingHeartbeat: Bool { left.withLock { !$0.isEmpty } }

        /// Takes the next step of a heartbeat.
        func goOn() {
            guard let step = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            let next = take(step)
            left.withLock { $0 = next + $0 }
        }

        private func take(_ steps: [NodeState.Step]) {
            for step in steps { take(take(step)) }
        }

        /// Takes a step.
        ///
        /// - Returns: What follows from it.
        private func take(_ step: NodeState.Step) -> [NodeState.Step] {
            let now = rows.now
            switch step {
            case .readAgain: outcomeUnknown.withLock { $0 }?()
            case .heartbeat(let number):
                let isOwn = rows.renew(number, by: listener)
                return state.withLock { $0.sentHeartbeat(with: number, isOwn: isOwn, at: now) }
            case .acquire(let lost):
                let new = rows.acquire(at: time.now)
                return state.withLock { $0.acquired(new, insteadOf: lost, at: now) }
            case .release(let number): rows.release(number)
            case .endUnknown(let number, let outcomes):
                let isOwn = rows.endUnknown(number)
                return state.withLock { $0.endedUnknown(outcomes, isOwn: isOwn, at: now) }
            case .settle(let outcomes): state.withLock { $0.settle(outcomes) }
            case .endSilent(let number): rows.endSilent(but: number)
            // The world has no webhooks.
            case .endClaimsOfStoppedServers: break
            // Nor is a group sent in parts.
            case .endUnfinished: state.withLock { $0.endedUnfinished() }
            }
            return []
        }

        /// Reads the rows.
        func reportRows() {
            state.withLock { $0.noteRead(at: rows.now) }
            rowsRead.withLock { $0 }?(rows.read(of: number))
        }

        /// Reads the rows in vain, since the database can't be reached.
        func missRows() { state.withLock { $0.noteRead(at: nil) } }

        /// Whether there is something to hear.
        var hasEvent: Bool { rows.hasEvent(listener) }

        /// Returns what is heard next.
        func nextEvent() -> PostgresListener.Event? { rows.next(listener) }

        /// Loses the connection that listens. It listens again after that.
        func cut() { rows.cut(listener) }

        /// Listens again.
        func listenAgain() { rows.listen(listener) }

        /// How a server leaves.
        enum Leaving: CaseIterable {
            /// It announces what it has committed.
            case stopping
            /// Its last announcement fails.
            case unheard
            /// It says nothing.
            case killed
        }

        /// Leaves.
        func leave(_ leaving: Leaving) {
            rows.endConnections(listener)
            guard leaving != .killed else { return }
            announceWaiting(leaving == .unheard ? .failed : .sent)
            rows.release(number)
        }
    }

    extension OtherServers {
        /// Reads what is needed, and verifies the tokens that have to be verified again.
        func readAndRenew() async {
            await read()
            await renewLeases()
        }
    }

    /// The place of a commit of which its server has heard nothing yet: it takes place late, in the database alone.
    struct LateCommit: DatabaseNode {
        /// Another one than that of any server, so that its messages have ids of their own.
        let id = Announcement.nodes.upperBound
        let isAlone = false
        let receivesChanges = true
        let clockDifference = 0.0
    }
#endif
