#if PostgreSQL
    import Foundation
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
                    var attempt = GroupAttempt(
                        group,
                        by: self,
                        on: connection,
                        of: storage,
                        as: number,
                        usingSavepoints: usesSavepoints,
                        expects: expects
                    )
                    try attempt.commit(waiting: limit)
                    numbers.withLock { $0.note(attempt.outcome.effects.own) }
                    return attempt.outcome
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
                    storage.noteSkippedTriggers()
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

        /// The number of times that a group runs again after conflicts.
        private static let conflictLimit = 8
        private static let backOff = PostgresBackOff(first: 0.005, longest: 0.2)
    }

    /// The error of a write that has failed after it had changed something, where there was no savepoint.
    private struct PartialWrite: Error {}

    /// One attempt to commit a group: the steps of its transaction, and their results so far.
    private struct GroupAttempt {
        private let group: [Writer.Job]
        private let writer: Writer
        private let connection: PostgresConnection
        private let storage: PostgresStorage
        /// The number of this server, if it is one of several.
        private let number: NodeNumber?
        /// Whether each write runs in its own savepoint.
        private let usesSavepoints: Bool
        /// Whether the people's sequences are expected to be those that are known, as in ``ResolvedPeople``.
        private let expects: Bool
        private let now: Date

        /// The results of the writes that have run.
        private(set) var outcome: Writer.GroupOutcome
        /// The people, as the writes that have run have left them.
        private var known = ResolvedPeople()
        /// The number of changed rows and of created people. A group without any has no number of its own.
        private var changeCount = 0

        init(
            _ group: [Writer.Job],
            by writer: Writer,
            on connection: PostgresConnection,
            of storage: PostgresStorage,
            as number: NodeNumber?,
            usingSavepoints: Bool,
            expects: Bool
        ) {
            (self.group, self.writer, self.connection, self.storage) = (group, writer, connection, storage)
            (self.number, usesSavepoints, self.expects) = (number, usingSavepoints, expects)
            now = writer.clock.now
            outcome = writer.newOutcome(of: group)
            if let number { outcome.lastMessageID = number.message }
        }

        /// Runs the writes in one transaction, which has been committed when it returns.
        ///
        /// - Parameter limit: The time for which it waits for a locked row. Nil for no limit.
        /// - Throws: `PartialWrite`, or the error that ended the transaction. Nothing was stored, unless the error is
        ///   of a commit whose outcome is unknown.
        mutating func commit(waiting limit: Duration?) throws {
            try connection.transaction { _ in
                setSettings(waiting: limit)
                let lookups = try resolvePeople()
                let created = try createPeople(lookups)
                changeCount = created.count
                for (job, lookup) in zip(group, lookups) { try run(job, lookup, created: created) }
                try noteNumber()
            }
        }

        /// Queues the settings of the transaction. Most groups have those of the one before.
        private func setSettings(waiting limit: Duration?) {
            // 0 is no limit.
            var settings = [(name: "lock_timeout", value: limit.map { "\(Int($0 / .milliseconds(1)))ms" } ?? "0")]
            if let number { settings.append(("inbox.node", "\(number.id)")) }
            connection.setForSession(settings)
        }

        /// Creates the transaction of a write that follows those that have run.
        private func newWrite(
            _ lookup: KeyLookup? = nil
        ) -> (write: WriteTransaction, statements: PostgresTransaction) {
            let statements = PostgresTransaction(connection, namesPartitions: storage.namesPartitions)
            let write = WriteTransaction(
                db: .postgres(statements),
                now: now,
                lastMessageID: outcome.lastMessageID,
                node: number?.id,
                random: writer.random,
                limits: writer.limits,
                known: known,
                keyLookup: lookup,
                eventQuota: writer.eventQuota,
                eventUses: outcome.effects.eventUses
            )
            return (write, statements)
        }

        /// Reads and locks the people of the group, and looks up the keys of its requests.
        ///
        /// - Returns: The lookup of each write, as ``keyLookups(in:)`` returns them.
        private mutating func resolvePeople() throws -> [KeyLookup?] {
            let first = newWrite()
            let lookups = try keyLookups(in: first.write)
            known = try resolvedPeople(lookups, in: first.statements)
            // The locks of keys would end with a savepoint.
            if usesSavepoints { _ = try lookups.compactMap { $0 }.last?.isFirst }
            return lookups
        }

        /// Queues the lookups of the keys of the group's requests.
        ///
        /// - Returns: The lookup of each write, or nil if it has no key. The lookup of a key is the first write's that
        ///   has it: a later one finds by itself what that has stored.
        private func keyLookups(in transaction: WriteTransaction) throws -> [KeyLookup?] {
            var seen: Set<IdempotencyKey.Name> = []
            return try group.map { job in
                guard let key = job.needs.key, seen.insert(key.name).inserted else { return nil }
                return try KeyLookup(key, in: transaction.db, now: transaction.now)
            }
        }

        /// Reads and locks the people of the group, in one round trip at most.
        private func resolvedPeople(
            _ lookups: [KeyLookup?],
            in statements: PostgresTransaction
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
                knowing: writer.numbers,
                expects: expects && !usesSavepoints
            )
        }

        /// Creates and locks the missing people that the writes need. An error within a savepoint is that write's, so
        /// with savepoints each write creates its own people within its own.
        ///
        /// - Returns: The names of those who were created for the writes.
        private mutating func createPeople(_ lookups: [KeyLookup?]) throws -> Set<[UInt8]> {
            let new = usesSavepoints ? [] : try newPeople(lookups)
            if !new.isEmpty || !known.outdated.isEmpty {
                let creation = newWrite()
                try creation.write.createAndLock(people: new, in: creation.statements, knowing: writer.numbers)
                known = creation.write.known
            }
            return Set(new.map { Array($0.utf8) })
        }

        /// Returns the people that writes of the group create, since they receive messages.
        private func newPeople(_ lookups: [KeyLookup?]) throws -> [String] {
            try zip(group, lookups).flatMap { job, lookup -> [String] in
                // One that is for several people creates them itself, with what else it reads then.
                guard job.scope != .shared else { return [] }
                let missing = job.needs.people.filter { known.missing.contains(Array($0.utf8)) }
                guard !missing.isEmpty, try job.needs.key == nil || lookup?.isFirst ?? false else { return [] }
                return missing
            }
        }

        /// Runs one of the writes, and adds its result to the outcome.
        ///
        /// - Parameter created: The people who were created for the writes.
        /// - Throws: `PartialWrite`, or an error that isn't this write's alone.
        private mutating func run(_ job: Writer.Job, _ lookup: KeyLookup?, created: Set<[UInt8]>) throws {
            let (transaction, statements) = newWrite(lookup)
            do {
                if usesSavepoints {
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
                changeCount += statements.changeCount
            } catch let error as PostgresError
                where !usesSavepoints || error.isRetryable && !error.mayBeOfOneStatement
            {
                throw error
            } catch {
                // Statements that an earlier write had queued have failed.
                if !connection.isUsable || connection.hasFailedTransaction { throw error }
                let hasChanged =
                    statements.changeCount != 0
                    || job.needs.people.contains { created.contains(Array($0.utf8)) }
                if !usesSavepoints && hasChanged { throw PartialWrite() }
                outcome.failures.append(error)
            }
        }

        /// Queues the note of the group's own number, by which other servers know it, and its announcement to them.
        private mutating func noteNumber() throws {
            guard var number, changeCount > 0 else { return }
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
#endif
