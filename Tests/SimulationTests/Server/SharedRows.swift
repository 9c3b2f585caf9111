#if PostgreSQL
    import Foundation
    import Groundwork

    @testable import InboxService
    @testable import Postgres

    /// The servers' rows and notifications, in place of PostgreSQL's.
    final class SharedRows: Sendable {
        private struct Row: Sendable {
            /// Nil if no server has the number.
            var session: Int?
            var groups = 0
            var seenAt: ContinuousClock.Instant
            /// The world's time of the latest commit. Ids of messages have it.
            var committedAt: Date
        }

        private struct State: Sendable {
            var rows: [Int: Row] = [:]
            var lastSession = 0
            /// The servers' connections on which heartbeats were sent, by the sessions: the listener's number.
            var connected: [Int: Int] = [:]
            /// What the servers haven't heard yet, by session. None is kept for one that doesn't listen.
            var queues: [Int: [PostgresListener.Event]] = [:]
            /// Those whose connection was lost: nothing more is sent to them.
            var cut: Set<Int> = []
            /// The clock of the machines. It is another one than the world's, which counts in seconds.
            var now = ContinuousClock.now
            var faults: [String] = []
        }

        private let state = Locked(State())

        var now: ContinuousClock.Instant { state.withLock { $0.now } }
        /// What must never happen.
        var faults: [String] { state.withLock { $0.faults } }

        /// Reports what must never happen.
        func report(_ fault: String) { state.withLock { $0.faults.append(fault) } }

        func advance(by time: Duration) { state.withLock { $0.now += time } }

        // MARK: Rows

        /// Gives a server a number. One of a silent server is left out as long as that is connected.
        func acquire(at time: Date) -> NodeNumber {
            state.withLock { state in
                state.lastSession += 1
                let limit = state.now - .milliseconds(NodeNumber.lifetime)
                // The ids of a number's former server have an earlier time.
                let free = state.rows.sorted { $0.key < $1.key }.first { [connected = state.connected] _, row in
                    (row.session.map { row.seenAt < limit && connected[$0] == nil } ?? true) && row.committedAt < time
                }
                let id = free?.key ?? state.rows.count
                let isTaken = free?.value.session != nil
                var row = free?.value ?? Row(seenAt: state.now, committedAt: time)
                (row.session, row.seenAt) = (state.lastSession, state.now)
                state.rows[id] = row
                return NodeNumber(
                    id: id,
                    session: state.lastSession,
                    group: row.groups,
                    message: 0,
                    isTaken: isTaken
                )
            }
        }

        /// Whether the number is still the server's.
        func has(_ number: NodeNumber) -> Bool { state.withLock { $0.rows[number.id]?.session == number.session } }

        /// Sends a heartbeat.
        ///
        /// - Parameter listener: The number of the server's connection that listens. With that, the one for heartbeats
        ///   is lost.
        /// - Returns: Whether the number is still the server's.
        func renew(_ number: NodeNumber, by listener: Int) -> Bool {
            state.withLock { state in
                state.connected[number.session] = listener
                guard state.rows[number.id]?.session == number.session else { return false }
                state.rows[number.id]?.seenAt = state.now
                return true
            }
        }

        func release(_ number: NodeNumber) {
            state.withLock { state in
                if state.rows[number.id]?.session == number.session { state.rows[number.id]?.session = nil }
            }
        }

        /// Takes the numbers of the other servers that are silent.
        func endSilent(but number: NodeNumber) {
            state.withLock { state in
                let limit = state.now - .milliseconds(NodeNumber.lifetime)
                for (id, row) in state.rows where row.session != number.session && row.seenAt < limit {
                    state.rows[id]?.session = nil
                }
            }
        }

        /// Notes a group of commits.
        func note(_ number: NodeNumber, at time: Date) {
            state.withLock { state in
                let row = state.rows[number.id]
                if row?.session != number.session || row?.groups ?? 0 >= number.group {
                    state.faults.append("\(number) has committed, and its row is \(row.map { "\($0)" } ?? "missing")")
                }
                state.rows[number.id]?.groups = number.group
                state.rows[number.id]?.committedAt = time
            }
        }

        /// Whether a group of commits that comes late can still be noted.
        func accepts(_ number: NodeNumber) -> Bool {
            state.withLock { state in
                guard let row = state.rows[number.id] else { return false }
                return row.session == number.session && row.groups < number.group
            }
        }

        /// Has commits of unknown outcome end.
        ///
        /// - Returns: Whether the number is still the server's.
        func endUnknown(_ number: NodeNumber) -> Bool {
            state.withLock { state in
                guard let row = state.rows[number.id], row.session == number.session else { return false }
                state.rows[number.id]?.groups = max(row.groups, number.group)
                return true
            }
        }

        func read(of number: NodeNumber) -> NodeRows {
            state.withLock { state in
                NodeRows(
                    groups: state.rows.filter { $0.key != number.id }.mapValues(\.groups),
                    isAlone: state.rows.values.compactMap(\.session) == [number.session],
                    readAt: state.now
                )
            }
        }

        // MARK: Notifications

        /// - Parameter listener: A number of its own for each connection that listens.
        func listen(_ listener: Int) {
            state.withLock { state in
                state.queues[listener] = [.listening]
                state.cut.remove(listener)
            }
        }

        /// Ends a server's connections.
        func endConnections(_ listener: Int) {
            state.withLock { state in
                state.queues[listener] = nil
                state.connected = state.connected.filter { $0.value != listener }
            }
        }

        /// Loses what a server hasn't heard yet, and all until it listens again.
        func cut(_ listener: Int) {
            state.withLock { state in
                state.connected = state.connected.filter { $0.value != listener }
                guard state.queues[listener] != nil else { return }
                state.queues[listener] = [.cut]
                state.cut.insert(listener)
            }
        }

        func notify(_ payload: String) {
            let notification = PostgresNotification(channel: PostgresNode.channel, payload: payload, sender: 0)
            state.withLock { state in
                for listener in state.queues.keys where !state.cut.contains(listener) {
                    state.queues[listener]?.append(.notification(notification))
                }
            }
        }

        func hasEvent(_ listener: Int) -> Bool { state.withLock { $0.queues[listener]?.isEmpty == false } }

        /// Removes and returns the next event of a server.
        func next(_ listener: Int) -> PostgresListener.Event? {
            state.withLock { state in
                guard let first = state.queues[listener]?.first else { return nil }
                state.queues[listener]?.removeFirst()
                return first
            }
        }
    }
#endif
