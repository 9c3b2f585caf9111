#if PostgreSQL
    import Foundation
    import Groundwork
    package import Logging
    import Postgres
    import ServiceLifecycle

    /// Applies the commits of other servers of the database to the values in this server's memory, and wakes its
    /// streams.
    ///
    /// Changes that a notification contains are applied at once. Others are read: API keys, the tokens of streams, and
    /// everything after a break, since notifications of that time are lost. During a break, answers aren't given from
    /// memory, and streams live on the servers' rows (``GroupTracker``).
    ///
    /// The tokens of streams are verified again by a task of their own, which nothing else waits for: there may be tens
    /// of thousands of them.
    package struct OtherServers: Service {
        /// The caches in memory.
        package struct Caches: Sendable {
            let states: LatestStates
            let people: People
            let tokens: Tokens
            let keys: APIKeys
            let watchers: Watchers
            /// Removes the cached responses to a person.
            let evictResponses: @Sendable (_ account: String) -> Void
            /// Called with each change, for the services that wait for work.
            let changed: @Sendable (WriteEffects) -> Void
            /// Called with each event of the listening, for the metrics.
            let onListeningEvent: @Sendable (ListeningEvent) -> Void

            package init(
                states: LatestStates,
                people: People,
                tokens: Tokens,
                keys: APIKeys,
                watchers: Watchers,
                evictResponses: @escaping @Sendable (_ account: String) -> Void,
                changed: @escaping @Sendable (WriteEffects) -> Void,
                onListeningEvent: @escaping @Sendable (ListeningEvent) -> Void
            ) {
                (self.states, self.people, self.tokens, self.keys) = (states, people, tokens, keys)
                (self.watchers, self.evictResponses) = (watchers, evictResponses)
                (self.changed, self.onListeningEvent) = (changed, onListeningEvent)
            }
        }

        /// An event of the listening.
        package enum ListeningEvent: Sendable {
            /// A notification of another server was heard.
            case notification
            /// Notifications are missing, so that everything is read again.
            case gap
            /// The connection that listens was lost.
            case interruption
        }

        /// The values that have to be read from the database.
        private struct Reading: Sendable {
            /// Whether anything may have changed.
            var all = false
            /// Whether the sequences of any people may have changed.
            var sequences = false
            var keys = false
            /// The people whose tokens have to be verified again. 0 stands for all.
            var tokens: Set<Int> = []

            var isEmpty: Bool { !all && !sequences && !keys && tokens.isEmpty }

            mutating func add(_ announcement: Announcement) {
                all = all || announcement.isUnknown
                sequences = sequences || announcement.isForAll
                keys = keys || announcement.hasKeys
                tokens.formUnion(announcement.endedTokens)
            }

            mutating func add(_ missed: Reading) {
                (all, sequences) = (all || missed.all, sequences || missed.sequences)
                keys = keys || missed.keys
                tokens.formUnion(missed.tokens)
            }
        }

        private struct State: Sendable {
            /// Nil until everything was read for the first time.
            var tracker: GroupTracker?
            var isListening = false
            /// The number of breaks of the listening.
            var breaks = 0
            var needed = Reading()
            var isReading = false
            var leases = LeaseQueue()
            /// Whether it was logged that the database has lost commits.
            var hasLoggedLoss = false
            /// The number of attempts to read the rows that have failed since the last one that succeeded.
            var failures = 0
            /// The difference of the clocks that was noticed last.
            var clockDifference = 0.0

            /// Whether the rows have something that isn't in memory yet.
            func isBehind(_ rows: NodeRows) -> Bool {
                isReading || !needed.isEmpty || tracker?.isBehind(rows.groups) ?? true
            }
        }

        private let storage: Storage
        private let node: any ListeningNode
        private let caches: Caches
        private let logger: Logger
        // Accessed only in `withLock`, from the tasks of `run`.
        private let state = Locked(State())
        private let isNeeded = WakeUp()
        /// Signalled when tokens of streams have to be verified again.
        private let areLeasesNeeded = WakeUp()

        /// The number of people whose sequences one statement reads.
        private static let part = 1_000
        /// The number of people whose tokens are verified before others may come first.
        private static let leasePart = 100
        /// The number of failed attempts to read the rows, each within a few seconds, that are an outage. A single one
        /// may be of a connection that was closed.
        private static let outage = 2
        /// The pause after a failure of the database.
        private static let pause = Duration.milliseconds(250)
        /// The pause after the sequences of all watched people were read.
        private static let sequencesPause = Duration.milliseconds(100)

        /// - Returns: Nil if no other servers use the storage.
        package init?(of storage: Storage, _ caches: Caches, logger: Logger) {
            guard let node = storage.node as? any ListeningNode else { return nil }
            (self.storage, self.node, self.caches, self.logger) = (storage, node, caches, logger)
        }

        package func run() async throws {
            begin()
            node.listen { event in hear(event) }
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in isNeeded.signals.cancelOnGracefulShutdown() { await read() } }
                group.addTask {
                    for await _ in areLeasesNeeded.signals.cancelOnGracefulShutdown() { await renewLeases() }
                }
            }
        }

        /// Registers with the node for rows and unknown outcomes, and reads everything once. From then on the rows show
        /// the commits of others, even if notifications never begin.
        func begin() {
            node.observeRows { rows in
                noteSuccess()
                compare(rows)
            }
            node.observeFailures { error in noteFailure(error) }
            node.observeUnknownOutcomes { need { $0.all = true } }
            need { $0.all = true }
        }

        /// Whether something has to be read of the database.
        var needsRead: Bool { state.withLock { !$0.needed.isEmpty } }

        private func need(_ change: (inout Reading) -> Void) {
            state.withLock { change(&$0.needed) }
            isNeeded.signal()
        }

        // MARK: Hearing

        /// Applies an event of the listener.
        func hear(_ event: PostgresListener.Event) {
            switch event {
            case .listening:
                state.withLock { $0.isListening = true }
                node.setListening(true)
                need { $0.all = true }
            case .cut:
                state.withLock { state in
                    state.isListening = false
                    state.breaks += 1
                }
                node.setListening(false)
                caches.onListeningEvent(.interruption)
                caches.states.suspend()
                logger.warning(
                    "notifications of other servers are interrupted; reading the database instead",
                    metadata: node.listeningError.map { ["error": "\($0)"] }
                )
            case .notification(let notification):
                // Its own come back to a server, at the time at which it answers the writes.
                guard Announcement.sender(of: notification.payload) != node.id else { return }
                guard let (sender, announcement) = Announcement.read(notification.payload) else { return readGap() }
                caches.onListeningEvent(.notification)
                // While this server is alone, no other one writes: it isn't an announcement of one.
                if node.isAlone { return readGap() }
                apply(announcement, of: sender)
            }
        }

        /// Reads everything, since notifications are missing.
        private func readGap() {
            caches.onListeningEvent(.gap)
            need { $0.all = true }
        }

        private func apply(_ announcement: Announcement, of sender: Int) {
            let effects = announcement.effects
            caches.states.apply(effects)
            for person in announcement.endedTokens where person != 0 { caches.people.evictTokens(ofPerson: person) }
            if announcement.endedTokens.contains(0) { caches.people.evictAllTokens() }
            for person in announcement.erased { forget(person) }
            caches.watchers.wake(for: effects)
            caches.changed(effects)
            // At once: an announced group that has to be read isn't in memory yet.
            let (isMissing, isNeeded) = state.withLock { state in
                state.needed.add(announcement)
                let isMissing =
                    announcement.groups.map { !(state.tracker?.record(announced: $0, of: sender) ?? true) } ?? false
                state.needed.all = state.needed.all || isMissing
                return (isMissing, !state.needed.isEmpty)
            }
            if isMissing { readGap() } else if isNeeded { self.isNeeded.signal() }
        }

        private func forget(_ person: Int) {
            // Entries of a person who isn't cached are never read: the tokens are rejected. They are evicted as the
            // caches fill.
            if let known = caches.people.evictTokens(ofPerson: person) {
                caches.tokens.evict(known.name)
                caches.evictResponses(known.account)
            }
            caches.states.evict(person)
            caches.watchers.endStreams(ofErased: person)
        }

        /// Compares with the servers' rows.
        private func compare(_ rows: NodeRows) {
            if node.hasLostCommits { logLoss() }
            let (isMissing, isBehind) = state.withLock { state in
                let isUnheard = state.tracker?.isBehind(rows.groups) ?? false
                let isComplete = state.tracker?.check(rows.groups) ?? true
                return (!isComplete || !state.isListening && isUnheard, !isComplete || state.isBehind(rows))
            }
            node.setAlone(rows.isAlone && !isBehind, readAt: rows.readAt)
            if isMissing { readGap() }
            compareClocks()
        }

        /// Logs once that the database can't be used, also while no request needs it.
        private func noteFailure(_ error: any Error) {
            let failures = state.withLock { state in
                state.failures += 1
                return state.failures
            }
            guard failures == Self.outage else { return }
            logger.error("the database can't be reached or written", metadata: ["error": "\(error)"])
        }

        private func noteSuccess() {
            let failures = state.withLock { state in
                defer { state.failures = 0 }
                return state.failures
            }
            if failures >= Self.outage { logger.notice("the database can be reached and written again") }
        }

        /// Reports a clock that differs from the database's, once, and wakes those who wait for a time by it.
        private func compareClocks() {
            let difference = node.clockDifference
            let former = state.withLock { state in
                defer { state.clockDifference = difference }
                return state.clockDifference
            }
            guard difference != former else { return }
            if former == 0 {
                let text = ClockDifference.description(of: difference)
                logger.warning("this server isn't ready: its clock is wrong", metadata: ["clock": "\(text)"])
            } else if difference == 0 {
                logger.notice("this server's clock and the database's agree again")
            }
            // Due entries were planned with the former difference. Small variations are ignored.
            if abs(difference - former) > ClockDifference.variation {
                var effects = WriteEffects()
                effects.due = 0
                caches.changed(effects)
            }
        }

        /// Logs once that the database has lost commits.
        private func logLoss() {
            let isLogged = state.withLock { state in
                defer { state.hasLoggedLoss = true }
                return state.hasLoggedLoss
            }
            guard !isLogged else { return }
            let advice = "stop all servers, and run inbox restore --database"
            logger.critical("the database has lost commits that it had confirmed; nothing more is written: \(advice)")
        }

        // MARK: Reading

        /// Reads the values that are needed, and retries after a failure. Tokens of streams are left to
        /// ``renewLeases()``.
        func read() async {
            let needed = state.withLock { state in
                defer { (state.needed, state.isReading) = (Reading(), true) }
                return state.needed
            }
            var missed = Reading()
            // Whether the next read waits: many large sends would otherwise keep the connection busy that all requests
            // need.
            var isPaused = false
            do {
                if needed.all {
                    try await readAll()
                } else {
                    if needed.sequences {
                        try await readSequences()
                        isPaused = true
                    }
                    if needed.keys { try await readKeys() }
                    // The tokens of all streams depend on the keys.
                    if needed.keys || needed.tokens.contains(0) {
                        needLeases(of: nil)
                    } else if !needed.tokens.isEmpty {
                        needLeases(of: needed.tokens)
                    }
                }
            } catch {
                missed = needed
            }
            state.withLock { state in
                state.needed.add(missed)
                state.isReading = false
            }
            guard !missed.isEmpty else {
                if isPaused { try? await Task.sleep(for: Self.sequencesPause) }
                return
            }
            isNeeded.signal()
            try? await Task.sleep(for: Self.pause)
        }

        /// Reads everything again that is in memory.
        private func readAll() async throws {
            let (wasListening, breaks) = state.withLock { ($0.isListening, $0.breaks) }
            // The values in memory aren't the latest once the groups below count as announced.
            caches.states.suspend()
            // Before everything else: later commits are announced later.
            let rows = try await node.readRows()
            let people = caches.watchers.people
            let known = caches.states.beginRestart(of: people)
            state.withLock { state in
                if state.tracker == nil { state.tracker = GroupTracker() }
                state.tracker?.restart(with: rows.groups)
            }
            caches.people.evictAllTokens()
            try await readKeys()
            var (read, missing) = try await sequences(of: people)
            (read.broadcast, read.surface) = try await storage.readBriefly { reading in
                (try reading.broadcastState(), try reading.surfaceState())
            }
            for person in missing { forget(person) }
            state.withLock { state in
                let isCurrent = wasListening && state.isListening && state.breaks == breaks
                caches.states.finishRestart(read, isCurrent: isCurrent)
            }
            read.own = read.own.filter { known[$0.key] != $0.value }
            (read.due, read.deliveries) = (0, true)
            // All streams, at the pace of a change for everyone: after a break, many people may have changes.
            caches.watchers.wake(for: WriteEffects(broadcast: read.broadcast, surface: read.surface))
            caches.changed(read)
            needLeases(of: nil)
        }

        // MARK: Tokens of streams

        /// Whether tokens of streams have to be verified again.
        var needsLeases: Bool { state.withLock { !$0.leases.isEmpty } }

        /// Notes that the tokens of people's streams have to be verified again, and wakes the task that does it.
        ///
        /// - Parameter people: The people whose streams are meant. Nil for all.
        private func needLeases(of people: Set<Int>?) {
            let all = people == nil ? caches.watchers.people : []
            state.withLock { state in
                if let people { state.leases.add(people) } else { state.leases.addAll(all) }
            }
            areLeasesNeeded.signal()
        }

        /// Verifies tokens of streams again, part by part, and once more those for which the database couldn't be read.
        func renewLeases() async {
            while case let people = state.withLock({ $0.leases.next(Self.leasePart) }), !people.isEmpty {
                // Otherwise each token would be a read of its own.
                if people.count > 1 { try? await caches.people.load(people) }
                let failed = await caches.watchers.renewLeases(of: Set(people))
                guard !failed.isEmpty else { continue }
                state.withLock { $0.leases.putBack(failed) }
                areLeasesNeeded.signal()
                try? await Task.sleep(for: Self.pause)
                return
            }
        }

        /// Reads the sequences of the people who have open streams.
        private func readSequences() async throws {
            let people = caches.watchers.people
            caches.states.forgetAll(but: people)
            var (read, _) = try await sequences(of: people)
            caches.states.apply(read)
            // A stream that was added before the others' states were forgotten may have sent an outdated one.
            for person in caches.watchers.people.subtracting(people) { read.own[person] = 0 }
            caches.watchers.wake(for: read)
        }

        /// Reads sequences.
        ///
        /// - Returns: The sequences, and the people who don't exist any more.
        private func sequences(of people: Set<Int>) async throws -> (read: WriteEffects, missing: Set<Int>) {
            var (read, rest) = (WriteEffects(), Array(people))
            while !rest.isEmpty {
                let part = Array(rest.suffix(Self.part))
                rest.removeLast(part.count)
                let found = try await storage.readBriefly { reading in try reading.sequences(of: part) }
                read.own.merge(found) { $1 }
            }
            return (read, people.filter { read.own[$0] == nil })
        }

        private func readKeys() async throws {
            try await caches.keys.reload(from: storage)
            try await caches.tokens.reloadKeys(from: storage)
        }
    }
#endif
