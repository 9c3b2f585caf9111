import Foundation
import Groundwork
import JMAP

extension SyncEngine {
    /// Keeps the store up to date until the task is cancelled: listens to the server, sends pending writes, retries
    /// after failures, and yields to another process that syncs the same store. It also returns when the store is
    /// closed.
    package func runLive() async {
        let (triggers, trigger) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Subscribed before the first round.
        let dueRounds = dueRounds.stream()
        beginLive()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.runRounds(on: triggers) }
            group.addTask { await self.listen(trigger) }
            group.addTask { await self.watchWrites(trigger) }
            group.addTask { await self.watch(dueRounds, trigger) }
            group.addTask { await self.watchOtherProcesses(trigger) }
            group.addTask { await self.watchToken(trigger) }
            // Only the tasks that observe the store and the connection's state end by themselves.
            await group.next()
            group.cancelAll()
        }
        endLive()
    }

    /// Runs a round for each trigger. Triggers during a round are merged into one.
    ///
    /// After a failure it continues until a round succeeds, regardless of which caller began the round.
    private func runRounds(on triggers: AsyncStream<Void>) async {
        for await _ in triggers {
            isRetrying = true
            defer { isRetrying = false }
            while !Task.isCancelled, isResponsible(), let time = earliestRound() {
                guard await pause(until: time) else { return }
                // The wait ended early because the server can be reached again. A wait that the server requested
                // continues.
                if let time = earliestRound(), time > clock.now { continue }
                do {
                    try await syncWhenDue()
                    // Another round may have failed since.
                    if !isWaiting { break }
                } catch is CancellationError {
                    break
                } catch {
                    // The engine has recorded when to retry after any error, such as a full disk. Missing records are
                    // fetched then.
                }
            }
        }
    }

    /// Triggers a round for each local write, and for each request of another process.
    private func watchWrites(_ trigger: AsyncStream<Void>.Continuation) async {
        for await _ in store.changes.stream(startingWith: ()) where isResponsible() {
            // A queue that the server doesn't accept causes no round. It is sent with rounds that have another reason.
            let sendsQueue = sending.limits.sendsQueue
            let waits: Bool
            do {
                waits = try await store.read { [domain, types] db in
                    let requests = try db.syncRequest(domain)
                    return try requests.requested > requests.served || db.hasPending(types) || db.hasDueSlices(types)
                        || (sendsQueue && db.hasQueued(types))
                }
            } catch {
                // A round encounters the same error, reports it and is retried.
                waits = store.isInUse
            }
            if waits { trigger.yield() }
        }
    }

    /// Triggers a round where no other event might follow: after one that failed and was begun by a caller, such as for
    /// records that a list lacks, and after a new token.
    private func watch(_ dueRounds: AsyncStream<Void>, _ trigger: AsyncStream<Void>.Continuation) async {
        for await _ in dueRounds { trigger.yield() }
    }

    /// Asks the app for another token periodically while the server rejects the current one.
    private func watchToken(_ trigger: AsyncStream<Void>.Continuation) async {
        for await _ in connectionState.values() {
            while let time = tokenRequest() {
                guard await pause(until: time) else { break }
                // The wait may have ended early, or another pause may have begun.
                if let time = tokenRequest(), time <= clock.now, await requestToken() { trigger.yield() }
            }
        }
    }

    /// Checks periodically whether another process has written to the store.
    private func watchOtherProcesses(_ trigger: AsyncStream<Void>.Continuation) async {
        var known: Int?
        do {
            let version = try await store.dataVersion()
            // Includes the writes between the opening of the store and this check.
            try await store.readExternalChanges()
            known = version
        } catch {
            // The next check reads them.
        }
        while (try? await clock.sleep(seconds: settings.externalCheckInterval)) != nil {
            do {
                let version = try await store.dataVersion()
                guard version != known else { continue }
                try await store.readExternalChanges()
                known = version
            } catch {
                guard store.isInUse else { continue }
                // A round encounters the same error and reports it.
                trigger.yield()
            }
        }
    }

    // MARK: - Listening

    /// Listens to the event source, or polls if the server has none.
    private func listen(_ trigger: AsyncStream<Void>.Continuation) async {
        var reconnection = Reconnection()
        while !Task.isCancelled {
            guard isResponsible() else {
                setStream(.otherProcess)
                guard (try? await clock.sleep(seconds: 1)) != nil else { return }
                continue
            }
            // A new token is needed first.
            guard earliestRound() != nil else {
                guard await resumption() else { return }
                continue
            }
            switch await listenOnce(trigger) {
            case .noEventSource:
                setStream(.polling)
                guard await poll(trigger) else { return }
            case .cancelled: return
            case .ended(let end): guard await wait(after: end, &reconnection, trigger) else { return }
            }
        }
    }

    private enum ListeningOutcome {
        case noEventSource
        case cancelled
        case ended(Reconnection.End)
    }

    /// Opens the event stream, and reads it to its end.
    private func listenOnce(_ trigger: AsyncStream<Void>.Continuation) async -> ListeningOutcome {
        setStream(.connecting)
        let requestedAt = clock.now
        var wasOpen = false
        do {
            let types = types.map(\.name)
            let stream = try await connection.events(types: types, ping: settings.ping)
            wasOpen = true
            setStream(.open)
            noteReachable()
            trigger.yield()
            try await readEvents(stream, trigger)
            return .ended(Reconnection.End(requestedAt: requestedAt, wasOpen: wasOpen, failure: nil))
        } catch SyncError.status(let status, _, _) where [204, 404, 405, 501].contains(status) {
            return .noEventSource
        } catch {
            guard !Task.isCancelled else { return .cancelled }
            return .ended(Reconnection.End(requestedAt: requestedAt, wasOpen: wasOpen, failure: error as? SyncError))
        }
    }

    /// Waits until the event stream may be opened again.
    ///
    /// - Returns: False if the task is cancelled first.
    private func wait(
        after end: Reconnection.End,
        _ reconnection: inout Reconnection,
        _ trigger: AsyncStream<Void>.Continuation
    ) async -> Bool {
        let failure = end.failure
        switch reconnection.ended(end, ping: settings.ping, at: clock.now, jitter: random.unit()) {
        case .awaitToken:
            if let failure { recordRefusal(failure) }
            return await resumption()
        case .wait(let nextTry, let endsEarly):
            setStream(.broken(failure?.offlineReason ?? Self.closedByServer, nextTry: nextTry))
            // Without a stream, the device has no other way to learn of changes.
            if failure?.isFromServer ?? false { trigger.yield() }
            if endsEarly {
                guard await pause(until: nextTry) else { return false }
            } else {
                guard (try? await clock.sleep(until: nextTry)) != nil else { return false }
            }
            reconnection.waited(until: nextTry, endsEarly: endsEarly, at: clock.now)
            return true
        }
    }

    private static var closedByServer: OfflineReason {
        OfflineReason(.notConnected, description: "The connection to the server was lost.")
    }

    /// Polls at a pace that follows activity, until it is time to try the event source again.
    ///
    /// - Returns: False if the task is cancelled first.
    private func poll(_ trigger: AsyncStream<Void>.Continuation) async -> Bool {
        let begun = clock.now
        // Earlier activity counts too: the poll may continue after an attempt that still found no event source.
        var pace = PollingInterval(
            shortest: settings.pollInterval,
            longest: settings.maxPollInterval,
            at: activity.withLock { $0.latest }
        )
        var known = try? await states()
        var observations = store.observers.begun
        // A clock that was set back ends a wait that it would make longer.
        while (0..<settings.streamInterval).contains(clock.now.timeIntervalSince(begun)) {
            trigger.yield()
            let requestedAt = clock.now
            while true {
                // Subscribed before the check, so that no use is missed.
                let (used, observed) = (uses.stream(), store.observers.beginnings.stream())
                // A list that is opened counts as a use: its records must not be as old as the interval of an unused
                // app.
                if store.observers.begun != observations {
                    observations = store.observers.begun
                    let now = clock.now
                    activity.withLock { $0.lastUse = max($0.lastUse, now) }
                }
                pace.noteActivity(at: activity.withLock { $0.lastUse })
                let found = try? await states()
                if found != known {
                    let now = clock.now
                    activity.withLock { $0.lastRemoteChange = now }
                    pace.noteActivity(at: now)
                }
                known = found
                let next = pace.next(after: requestedAt, isObserved: !store.observers.isEmpty)
                guard next > clock.now, requestedAt <= clock.now else { break }
                guard await sleep(until: next, orUse: [used, observed]) else { return false }
            }
        }
        return !Task.isCancelled
    }

    /// Waits until a time, or until the next use.
    ///
    /// - Returns: False if the task is cancelled first.
    private func sleep(until time: Date, orUse uses: [AsyncStream<Void>]) async -> Bool {
        await withTaskGroup(of: Bool.self) { [clock] group in
            group.addTask { (try? await clock.sleep(until: time)) != nil }
            for used in uses {
                group.addTask {
                    for await _ in used { return true }
                    return false
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func states() async throws -> [String?] {
        try await store.read { [types] db in try types.map { try db.syncPosition($0)?.state } }
    }

    /// Reads an event stream to its end.
    ///
    /// - Throws: An error if the stream breaks, or if nothing arrives for twice the server's ping interval.
    private func readEvents(_ stream: TransportStream, _ trigger: AsyncStream<Void>.Continuation) async throws {
        // Guarded by its lock: the reader sets it, the watchdog reads it.
        let activity = Locked((lastReceived: clock.now, interval: Double(settings.ping)))
        let (clock, store, types) = (clock, store, types)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var parser = EventStreamParser()
                for try await piece in stream.body {
                    activity.withLock { $0.lastReceived = clock.now }
                    for event in try parser.parse(piece) {
                        if event.name == "ping",
                            let interval = (try? JSON(parsing: event.data.utf8))?["interval"]?.intValue
                        {
                            activity.withLock { $0.interval = Double(max(1, interval)) }
                        } else if event.name == "state", await Self.isNewState(event, to: store, of: types) {
                            trigger.yield()
                        }
                    }
                }
            }
            group.addTask {
                while true {
                    let (lastReceived, interval) = activity.withLock { $0 }
                    let limit = lastReceived.addingTimeInterval(interval * 2)
                    guard limit > clock.now else { throw TransportError.timedOut(after: interval * 2) }
                    try await clock.sleep(until: limit)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Returns whether a state change is about a state that the store hasn't reached. The server reports a device's own
    /// writes too.
    private static func isNewState(
        _ event: EventStreamEvent,
        to store: ReplicaStore,
        of types: [RecordType]
    ) async -> Bool {
        guard let json = try? JSON(parsing: event.data.utf8), let change = StateChange(json: json) else { return false }
        let positions = try? await store.read { db in try types.map { try db.syncPosition($0) } }
        guard let positions else { return true }
        return zip(types, positions).contains { type, position in
            guard let position else { return true }
            guard let state = change.changed[position.account]?[type.name] else { return false }
            return state != position.state
        }
    }
}
