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
                } catch let error as PostgresError where error.sqlState == PostgresSchema.skippedTriggers {
                    // A later connection has the setting that the user and the database have then.
                    connection.close()
                    throw ServerSetupError(PostgresRequirements.skippedTriggers)
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
            try connection.transaction { connection in
                // Most groups have those of the one before. 0 is no limit.
                var settings = [(name: "lock_timeout", value: limit.map { "\(Int($0 / .milliseconds(1)))ms" } ?? "0")]
                if let number { settings.append(("inbox.node", "\(number.id)")) }
                connection.setForSession(settings)
                func newWrite(_ known: ResolvedPeople, _ lookup: KeyLookup? = nil) -> PostgresWrite {
                    let statements = PostgresTransaction(connection, namesPartitions: storage.namesPartitions)
                    let write = WriteTransaction(
                        db: .postgres(statements),
                        now: now,
                        lastMessageID: outcome.lastMessageID,
                        node: number?.id,
                        random: random,
                        limits: limits,
                        known: known,
                        keyLookup: lookup,
                        eventQuota: eventQuota,
                        eventUses: outcome.effects.eventUses
                    )
                    return (write, statements)
                }
                let first = newWrite(ResolvedPeople())
                let lookups = try Self.keyLookups(of: group, in: first.write)
                var known = try resolvedPeople(
                    of: group,
                    lookups,
                    in: first.statements,
                    expects: expects && !usingSavepoints
                )
                // An error within a savepoint is that write's, so each write creates its own people there. The locks of
                // keys would end with it.
                if usingSavepoints { _ = try lookups.compactMap { $0 }.last?.isFirst }
                let new = usingSavepoints ? [] : try Self.newPeople(of: group, lookups, known)
                if !new.isEmpty || !known.outdated.isEmpty {
                    let creation = newWrite(known)
                    try creation.write.createAndLock(people: new, in: creation.statements, knowing: numbers)
                    known = creation.write.known
                }
                let created = Set(new.map { Array($0.utf8) })
                var changes = created.count
                for (job, lookup) in zip(group, lookups) {
                    let (transaction, statements) = newWrite(known, lookup)
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
                        let hasChanged =
                            statements.changeCount != 0
                            || job.needs.people.contains { created.contains(Array($0.utf8)) }
                        if !usingSavepoints && hasChanged { throw PartialWrite() }
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
            }
            numbers.withLock { $0.note(outcome.effects.own) }
            return outcome
        }

        private typealias PostgresWrite = (write: WriteTransaction, statements: PostgresTransaction)

        /// Queues the lookups of the keys of a group's requests.
        ///
        /// - Returns: That of each write, or nil if it has no key. The lookup of a key is the first write's that has
        ///   it: a later one finds by itself what that has stored.
        private static func keyLookups(of group: [Job], in transaction: WriteTransaction) throws -> [KeyLookup?] {
            var seen: Set<IdempotencyKey.Name> = []
            return try group.map { job in
                guard let key = job.needs.key, seen.insert(key.name).inserted else { return nil }
                return try KeyLookup(key, in: transaction.db, now: transaction.now)
            }
        }

        /// Reads and locks the people of a group, in one round trip at most.
        private func resolvedPeople(
            of group: [Job],
            _ lookups: [KeyLookup?],
            in statements: PostgresTransaction,
            expects: Bool
        ) throws -> ResolvedPeople {
            // It has the transaction for itself.
            if let job = group.first, job.scope == .shared {
                guard job.needs.onlyFindsPeople else {
                    return try ResolvedPeople(
                        locking: job.needs.people,
                        ifFirst: lookups.first ?? nil,
                        in: statements
                    )
                }
                var people = ResolvedPeople()
                people.found = try FoundPeople(job.needs.people, in: statements)
                return people
            }
            return try ResolvedPeople(
                locking: group.compactMap(\.scope.person),
                in: statements,
                knowing: numbers,
                expects: expects
            )
        }

        /// Returns the people that writes of a group create, since they receive messages.
        private static func newPeople(
            of group: [Job],
            _ lookups: [KeyLookup?],
            _ known: ResolvedPeople
        ) throws -> [String] {
            try zip(group, lookups).flatMap { job, lookup -> [String] in
                // One that is for several people creates them itself, with what else it reads then.
                guard job.scope != .shared else { return [] }
                let missing = job.needs.people.filter { known.missing.contains(Array($0.utf8)) }
                guard !missing.isEmpty, try job.needs.key == nil || lookup?.isFirst ?? false else { return [] }
                return missing
            }
        }
    }
#endif
