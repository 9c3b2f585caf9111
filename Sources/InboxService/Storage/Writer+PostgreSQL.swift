#if PostgreSQL
    import Groundwork
    import Postgres

    // The transaction of a group of writes in PostgreSQL, and its repetitions.
    extension Writer {
        /// Runs the writes of a group, and again after a conflict with another server's.
        func run(
            _ group: [Job],
            on connection: PostgresConnection,
            of storage: PostgresStorage,
            waiting limit: Duration?
        ) throws -> GroupOutcome {
            let node = storage.node
            var usesSavepoints = false
            var expects = true
            var conflicts = 0
            while true {
                let number = try node?.numberForWriting()
                do {
                    return try run(
                        group,
                        usingSavepoints: usesSavepoints,
                        expects: expects,
                        on: connection,
                        of: storage,
                        as: number,
                        waiting: limit
                    )
                } catch is PartialWrite {
                    usesSavepoints = true
                } catch let error as PostgresError where expects && ResolvedPeople.isUnexpected(error) {
                    expects = false
                    numbers.withLock { $0.expectNothing(of: group.compactMap(\.scope.person)) }
                } catch let error as PostgresError where error.sqlState == PostgresSchema.lostNumber {
                    if let node, let number { try node.renewNumber(number, connection) }
                } catch let error as PostgresError where error.sqlState == PostgresSchema.lostCommits {
                    // The next attempt throws the error.
                    node?.noteLostCommits()
                } catch let error as PostgresError where error.kind == .conflict && conflicts < Self.conflictLimit {
                    Self.backOff.pause(after: conflicts)
                    conflicts += 1
                } catch let error as PostgresError
                    where !usesSavepoints && connection.isUsable
                    && (!error.isRetryable || error.mayBeOfOneStatement)
                {
                    // One of them has failed. By its savepoint it is known which.
                    usesSavepoints = true
                }
            }
        }

        /// A write has failed after it had changed something, and there was no savepoint.
        private struct PartialWrite: Error {}

        /// The number of times that a group runs again after conflicts.
        private static let conflictLimit = 8
        private static let backOff = PostgresBackOff(first: 0.005, longest: 0.2)

        private func run(
            _ group: [Job],
            usingSavepoints: Bool,
            expects: Bool,
            on connection: PostgresConnection,
            of storage: PostgresStorage,
            as number: NodeNumber?,
            waiting limit: Duration?
        ) throws -> GroupOutcome {
            var outcome = newOutcome(of: group)
            if let number { outcome.lastMessageID = number.message }
            let now = clock.now
            var people = ResolvedPeople()
            try connection.transaction { connection in
                // The limit is 0, which is none, on the connection.
                var settings: [(name: String, value: String)] = []
                if let limit { settings.append(("lock_timeout", "\(Int(limit / .milliseconds(1)))ms")) }
                if let number { settings.append(("inbox.node", "\(number.id)")) }
                if !settings.isEmpty { connection.enqueue(.setLocal(settings)) }
                var changes = 0
                let namesPartitions = storage.namesPartitions
                var known = try ResolvedPeople(
                    locking: group.compactMap(\.scope.person),
                    in: PostgresTransaction(connection, namesPartitions: namesPartitions),
                    knowing: numbers,
                    // An error within a savepoint would be that write's.
                    expects: expects && !usingSavepoints
                )
                for job in group {
                    let statements = PostgresTransaction(connection, namesPartitions: namesPartitions)
                    let transaction = WriteTransaction(
                        db: .postgres(statements),
                        now: now,
                        lastMessageID: outcome.lastMessageID,
                        node: number?.id,
                        random: random,
                        limits: limits,
                        known: known,
                        eventQuota: eventQuota,
                        eventUses: outcome.effects.eventUses
                    )
                    do {
                        if usingSavepoints {
                            try connection.savepoint { _ in
                                try job.run(transaction)
                                transaction.finish()
                            }
                        } else {
                            try job.run(transaction)
                            transaction.finish()
                        }
                        outcome.add(transaction)
                        known = transaction.known
                        changes += statements.changeCount
                    } catch let error as PostgresError
                        where !usingSavepoints || error.isRetryable && !error.mayBeOfOneStatement
                    {
                        throw error
                    } catch {
                        // Statements that an earlier write had queued have failed.
                        if !connection.isUsable || connection.hasFailedTransaction { throw error }
                        if !usingSavepoints && statements.changeCount != 0 { throw PartialWrite() }
                        outcome.failures.append(error)
                    }
                }
                if var number, changes > 0 {
                    number.group += 1
                    number.message = outcome.lastMessageID
                    connection.enqueue(number.note)
                    outcome.number = number
                    if outcome.effects.endedUnknown.isEmpty {
                        let announcement = Announcement(outcome.effects)
                        try storage.node?.prepareNotification(of: number, announcement, on: connection)
                    }
                }
                people = known
            }
            numbers.withLock { $0.note(people) }
            return outcome
        }
    }
#endif
