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
        /// The connection that listens, by the first session.
        private let listener: Int

        init(_ rows: SharedRows, _ time: WorldTime) {
            (self.rows, self.time) = (rows, time)
            let number = rows.acquire(at: time.now)
            let isFirst = rows.read(of: number).isAlone && !number.isTaken
            state = Locked(NodeState(number: number, isFirst: isFirst, at: rows.now))
            listener = number.session
            rows.listen(listener)
        }

        var id: Int { number.id }
        private var number: NodeNumber { state.withLock { $0.number } }
        var isAlone: Bool { state.withLock { $0.isAlone(at: rows.now) } }
        var hearsOthers: Bool { state.withLock { $0.hearsOthers(at: rows.now) } }
        /// None: the world has them heard.
        var events: AsyncStream<PostgresListener.Event> { AsyncStream { $0.finish() } }

        func setListening(_ isListening: Bool) { state.withLock { $0.setListening(isListening) } }

        func setAlone(_ isAlone: Bool, readAt: ContinuousClock.Instant) {
            state.withLock { $0.setAlone(isAlone, readAt: readAt) }
        }

        func readRows() async throws -> NodeRows { rows.read(of: number) }

        func observeRows(_ body: @escaping @Sendable (NodeRows) -> Void) { rowsRead.withLock { $0 = body } }

        func observeUnknownOutcomes(_ body: @escaping @Sendable () -> Void) { outcomeUnknown.withLock { $0 = body } }

        // MARK: Writing

        /// Waits until the server may write, and acquires another number if it has lost its own.
        func prepareWriting() {
            renewIfLost()
            let left = rows.now.duration(to: state.withLock { $0.writesFrom })
            if left > .zero { rows.advance(by: left) }
        }

        private func renewIfLost() {
            let lost = number
            guard !rows.has(lost) else { return }
            outcomeUnknown.withLock { $0 }?()
            let new = rows.acquire(at: time.now)
            _ = state.withLock { $0.replace(lost, with: new, at: rows.now) }
            outcomeUnknown.withLock { $0 }?()
        }

        /// Has the server not learn of its next commit whether it took place.
        func loseConfirmation() { losesConfirmation.withLock { $0 = true } }

        /// Has the server not learn of a commit that didn't take place.
        func loseCommit() {
            state.withLock { $0.announceUnknown() }
            outcomeUnknown.withLock { $0 }?()
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
                loseCommit()
                return WriteEffects(isIncomplete: true)
            }
            if state.withLock({ $0.mayCommitLate }) { outcomeUnknown.withLock { $0 }?() }
            if state.withLock({ $0.announce(number, Announcement(effects)) }) { outcomeUnknown.withLock { $0 }?() }
            return effects
        }

        // MARK: What PostgresNode's tasks do

        /// Sends what waits to be announced.
        func announceWaiting() {
            let (number, announcement) = state.withLock { ($0.number, $0.takeWaiting()) }
            for payload in announcement.payloads(from: number.id) { rows.notify(payload) }
        }

        /// Gives a sign of life, and reads the rows.
        func watchRows() {
            renewIfLost()
            rows.renew(number)
            let (unknown, outcomes) = state.withLock { ($0.mayCommitLate ? $0.number : nil, $0.unknownOutcomes) }
            if let unknown {
                rows.endUnknown(unknown)
                outcomeUnknown.withLock { $0 }?()
                state.withLock { $0.endUnknown(outcomes) }
            }
            if state.withLock({ $0.isSteady(at: rows.now) }) { rows.endSilent(but: number) }
            state.withLock { $0.noteRead(at: rows.now) }
            rowsRead.withLock { $0 }?(rows.read(of: number))
        }

        /// Reads the rows in vain, since the database can't be reached.
        func missRows() { state.withLock { $0.noteRead(at: nil) } }

        /// Returns what is heard next.
        func nextEvent() -> PostgresListener.Event? { rows.next(listener) }

        /// Loses the connection that listens. It listens again after that.
        func cut() {
            rows.lose(listener, .cut)
        }

        /// Listens again.
        func listenAgain() { rows.listen(listener) }

        /// Drops notifications, as for a slow reader.
        func drop() { rows.lose(listener, .dropped) }

        /// Leaves.
        ///
        /// - Parameter isKill: Whether it says nothing before.
        func leave(isKill: Bool) {
            rows.stopListening(listener)
            guard !isKill else { return }
            announceWaiting()
            rows.release(number)
        }
    }
#endif
