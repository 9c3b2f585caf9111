#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// The connections of one server to a database that it may share with others.
    final class PostgresStorage: Sendable {
        /// The settings of connections that need no pooler between, such as a listener's.
        private let settings: PostgresSettings
        /// The role in which one person's rows are read.
        private let role: PersonRole
        /// Whether statements of one person name the partition. Otherwise they name the table, which is slower.
        let namesPartitions: Bool
        /// The problems of the database that an operator has to know of, as they were found at the start.
        let problems: [String]
        // Of a server, from its start to its end.
        private let joined = Locked<PostgresNode?>(nil)
        private let poolerTask = Locked<Task<Void, Never>?>(nil)
        // Written by that task, and read by any thread.
        private let pooler = Locked(PoolerComparison())
        // While triggers don't run: looks for a connection on which they do.
        private let triggerTask = Locked<Task<Void, Never>?>(nil)
        private let closed = Locked(false)
        // The time of the first `prepareToClose()`.
        private let preparedAt = Locked<ContinuousClock.Instant?>(nil)
        private let readers: PostgresPool
        /// The connection for reads of a few rows by their keys, which each request needs: they don't wait for people's
        /// queries.
        private let briefReaders: PostgresPool
        private let writers: PostgresPool
        private let usesPooler: Bool

        /// The number of connections for reads: the database works on no more at once than it has processors, which
        /// are often as many as the server's.
        private static let readerCount = max(4, min(16, 2 * ProcessInfo.processInfo.activeProcessorCount))

        /// The connections that a server on this machine needs: for reads, for brief ones, for writes, to announce
        /// them, to listen, and for the rows of erased people.
        static let connectionCount = readerCount + 5

        /// The maximum time from the start of the shutdown until the server releases its number, whether or not
        /// everything was announced.
        private static let closing = Duration.seconds(4)

        /// The limits of connections for reads. Each has room for a statement that names a partition once for each of
        /// them, beside as many others as any connection prepares.
        static let readerLimits = {
            var limits = PostgresPool.Limits()
            limits.connections = readerCount
            limits.connection.statements += SQLText.partitionedStatements * PostgresSchema.partitions
            return limits
        }()

        /// Migrates the database, and opens the connections.
        ///
        /// - Parameters:
        ///   - address: The address of the database.
        ///   - pooler: Its address through a pooler in transaction mode, for reads and writes. Nil for none.
        ///   - isStopping: Asked while statements run. Once it returns true, they are cancelled; of a migration nothing
        ///     is left then.
        /// - Throws: ``ServerSetupError`` if the database or the pooler can't be reached, rejects the user, or can't be
        ///   used; `CancellationError` by `isStopping`.
        init(
            _ address: String,
            pooler: String? = nil,
            isStopping: @escaping @Sendable () -> Bool = { false }
        ) async throws {
            // Settings that all connections have, whatever the user's are later: when a commit is confirmed, and where
            // the tables are, as at the start, and no limits of time.
            let fixed: [(name: String, value: String)]
            let found: [String]
            do {
                let stated = try PostgresSettings(address)
                (role, namesPartitions, found, fixed) = try await onNewThread {
                    let connection = try PostgresConnection(stated)
                    defer { connection.close() }
                    connection.shouldCancel = isStopping
                    try DirectConnection.require(connection, of: "--database")
                    let namespace = try PostgresNamespace.use(on: connection)
                    try UnfinishedMove.refuse(in: connection)
                    let role = try PostgresSchema.prepare(connection)
                    try Self.requireAllRows(connection, option: "--database")
                    let open = try PersonRole.openTables(connection, among: PostgresSchema.personTables)
                    let partitions = try PersonPartition.problem(in: connection)
                    var problems = open.isEmpty ? [] : [PersonRole.description(ofOpen: open)]
                    let views = try PersonRole.wrongViews(connection)
                    if !views.isEmpty { problems.append(PersonRole.description(ofViews: views)) }
                    let further = try role.furtherTables(connection)
                    if !further.isEmpty { problems.append(role.description(ofFurther: further)) }
                    let members = try role.otherMembers(connection)
                    if !members.isEmpty { problems.append(role.description(ofMembers: members)) }
                    let foreign = try PostgresNamespace.foreignFunctions(connection)
                    if !foreign.isEmpty { problems.append(PostgresNamespace.description(ofForeign: foreign)) }
                    if let partitions { problems.append(PersonPartition.description(of: partitions)) }
                    problems += Self.problems(of: connection.protection, option: "--database")
                    var fixed = try PostgresRequirements.connectionSettings(connection)
                    fixed += [
                        (name: PostgresRequirements.durability, value: try PostgresRequirements.durability(connection)),
                        (name: PostgresNamespace.setting, value: namespace.path),
                    ]
                    return (role, partitions == nil, problems, fixed)
                }
                settings = stated.fixing(fixed)
            } catch let error as PostgresError {
                if isStopping() { throw CancellationError() }
                throw ServerSetupError("The database can't be opened: \(error.sentence) \(error.openingAdvice)")
            }
            let (pooled, protection) = try await Self.poolerSettings(pooler, as: settings, fixing: fixed)
            problems = found + Self.problems(of: protection, option: "--pooler")
            usesPooler = pooled != nil
            readers = Self.readers(pooled ?? settings, Self.readerLimits)
            var limits = PostgresPool.Limits()
            limits.connections = 1
            // Where the database doesn't answer, requests are refused soon.
            limits.use = 5
            briefReaders = Self.readers(pooled ?? settings, limits)
            // For a whole group, in which a person with a large inbox may be erased. The database has no limit, which
            // would also end the wait of a commit for a standby.
            limits.use = 120
            limits.connection.statements += SQLText.partitionedWrites * PostgresSchema.partitions
            writers = PostgresPool(pooled ?? settings, limits: limits)
        }

        /// Returns connections for reads, whose statements the database itself ends a little later than the server.
        private static func readers(_ settings: PostgresSettings, _ limits: PostgresPool.Limits) -> PostgresPool {
            PostgresPool(settings.fixing([PostgresStatement.timeLimit(.seconds(limits.use))]), limits: limits)
        }

        /// Returns the problems of connections to another machine, which libpq by default encrypts only if the server
        /// offers that.
        static func problems(of protection: PostgresConnection.Protection, option: String) -> [String] {
            guard protection == .unprotected else { return [] }
            return [
                "connections by \(option) aren't encrypted: whoever controls the network may read and change what is "
                    + "sent, and learn the password"
            ]
        }

        /// Returns the settings and the protection of connections through a pooler, after it was found to lead to the
        /// same database.
        ///
        /// - Throws: ``ServerSetupError``.
        private static func poolerSettings(
            _ address: String?,
            as direct: PostgresSettings,
            fixing fixed: [(name: String, value: String)]
        ) async throws -> (settings: PostgresSettings?, protection: PostgresConnection.Protection) {
            guard let address else { return (nil, .local) }
            do {
                let settings = try PostgresSettings(address, usesPooler: true).fixing(fixed)
                let (pooled, own) = try await onNewThread { (try identity(settings), try identity(direct)) }
                guard pooled.values == own.values else {
                    throw ServerSetupError(PoolerComparison.description)
                }
                return (settings, pooled.protection)
            } catch let error as PostgresError {
                throw ServerSetupError("The pooler can't be used: \(error.sentence) \(error.poolerAdvice)")
            }
        }

        /// The identity of the database of connections: the time at which its server was started, and its number there.
        private static func identity(
            _ settings: PostgresSettings
        ) throws -> (values: [String], protection: PostgresConnection.Protection) {
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            return try connection.transaction(.snapshot) { connection in
                let rows = try connection.execute(
                    """
                    SELECT extract(epoch FROM pg_postmaster_start_time())::text, oid::text FROM pg_database
                    WHERE datname = current_database()
                    """
                )
                if connection.settings.usesPooler { try requireAllRows(connection, option: "--pooler") }
                return (try rows.flatMap { [try $0[0], try $0[1]] }, connection.protection)
            }
        }

        /// Requires that the policies of one person don't apply to the user itself: it would find no one, and an
        /// erasure would remove nothing.
        ///
        /// - Parameter option: What the user belongs to. A database without tables has no policies.
        static func requireAllRows(_ connection: PostgresConnection, option: String) throws {
            let row = try connection.execute(
                """
                SELECT coalesce(row_security_active(to_regclass('person')::oid), false), current_user::text
                """
            )[0]
            guard try row[0] else { return }
            throw ServerSetupError(
                """
                The user \(try row[1] as String) of \(option) doesn't own the tables, so it sees no one's rows. \
                Use their owner, or run as an administrator: REASSIGN OWNED BY … TO …
                """
            )
        }

        /// Makes this one of the servers of the database, until ``close()``.
        ///
        /// - Parameter clock: The server's clock, which is compared with the database's. Nil for no comparison.
        /// - Throws: ``ServerSetupError`` if there are too many; `PostgresError` if it can't be reached.
        func join(comparing clock: (any WallClock)?) async throws {
            let node = try await PostgresNode(settings, comparing: clock)
            joined.withLock { $0 = node }
            guard usesPooler else { return }
            poolerTask.withLock { $0 = Task { [weak self] in await self?.comparePooler() } }
        }

        /// Compares the ways to the database until the task is cancelled.
        private func comparePooler() async {
            while (try? await Task.sleep(for: PoolerComparison.interval)) != nil {
                // Whether either of the two is reachable is known by its pool.
                guard let node, let direct = try? await node.readOwnRow() else { continue }
                let wasElsewhere = pooler.withLock { $0.isElsewhere }
                do {
                    let pooled = try await briefReaders.snapshot { try NodeNumber.row(direct.id, $0) }
                    pooler.withLock { $0.note(pooled, beside: direct) }
                } catch let error as PostgresError where error.kind == .incomplete {
                    // Another database may not have the table.
                    pooler.withLock { $0.note(nil, beside: direct) }
                } catch {}
                if wasElsewhere, !pooler.withLock({ $0.isElsewhere }) { node.readAgain() }
            }
        }

        /// Checks that the pooler, if there is one, leads to the same database as the direct connection.
        ///
        /// - Throws: ``ServerSetupError`` if the pooler leads to another database.
        private func requireSameDatabase() throws {
            if usesPooler, pooler.withLock({ $0.isElsewhere }) { throw ServerSetupError(PoolerComparison.description) }
        }

        /// The server's place among those of the database. Nil if the storage isn't a server's.
        var node: PostgresNode? { joined.withLock { $0 } }

        /// Reads from a snapshot.
        ///
        /// - Parameters:
        ///   - person: The number of the person whose rows alone can be read. Nil for all people's.
        ///   - limit: The time after which the request's reads are cancelled. Nil for the pool's.
        func read<Value: Sendable>(
            of person: Int?,
            within limit: Duration? = nil,
            _ body: @escaping @Sendable (ReadTransaction) throws -> Value
        ) async throws -> Value {
            try requireSameDatabase()
            return try await readers.snapshot { [role, namesPartitions] connection in
                var partition: PersonPartition?
                if let person {
                    connection.enqueue(role.statement(for: person, within: limit))
                    if namesPartitions { partition = PersonPartition(of: person) }
                }
                let transaction = PostgresTransaction(connection, of: partition, isPersonal: person != nil)
                return try body(ReadTransaction(.postgres(transaction), isSnapshot: true))
            }
        }

        /// Reads a few rows by their keys from a snapshot, before people's queries.
        func readBriefly<Value: Sendable>(
            _ body: @escaping @Sendable (ReadTransaction) throws -> Value
        ) async throws -> Value {
            try requireSameDatabase()
            return try await briefReaders.snapshot { connection in
                try body(ReadTransaction(.postgres(PostgresTransaction(connection))))
            }
        }

        /// Runs a closure on a connection for writes.
        func write<Value: Sendable>(
            _ body: @escaping @Sendable (PostgresConnection) throws -> Value
        ) async throws -> Value {
            try requireSameDatabase()
            return try await writers.run(body)
        }

        /// The time between two looks whether triggers run again.
        private static let triggerInterval = Duration.seconds(1)

        /// Whether triggers don't run on the connection for writes, as far as is known, so that groups of writes fail.
        var skipsTriggers: Bool { triggerTask.withLock { $0 != nil } }

        /// Records that a group of writes has failed because triggers don't run on its connection. Until they run on a
        /// later one, this is looked for without a write.
        func noteSkippedTriggers() {
            triggerTask.withLock { task in
                if task == nil, !isClosed { task = Task { [weak self] in await self?.waitForTriggers() } }
            }
        }

        private func waitForTriggers() async {
            while (try? await Task.sleep(for: Self.triggerInterval)) != nil {
                let isSkipping = try? await writers.run { connection -> Bool in
                    let values = try PostgresRequirements.values(connection)
                    guard PostgresRequirements.skipsTriggers(values) else { return false }
                    // A later connection has the setting that the user and the database have then.
                    connection.close()
                    return true
                }
                guard isSkipping == false else { continue }
                return triggerTask.withLock { $0 = nil }
            }
        }

        /// Opens another connection, for statements that can't run in a transaction.
        func newConnection() throws(PostgresError) -> PostgresConnection { try PostgresConnection(settings) }

        /// Whether the database can be reached for all kinds of transactions, and accepts writes, as far as is known.
        var isReachable: Bool {
            [readers, briefReaders, writers].allSatisfy { $0.outage == nil } && node?.acceptsWrites ?? true
                && !pooler.withLock { $0.isElsewhere }
        }

        /// Whether ``close()`` was called.
        var isClosed: Bool { closed.withLock { $0 } }

        /// Begins the shutdown. Running transactions have ``PostgresPool/Limits/closing`` in total, later ones a
        /// quarter of a second.
        func prepareToClose() {
            preparedAt.withLock { preparedAt in preparedAt = preparedAt ?? .now }
            cancelTasks()
            for pool in [writers, readers, briefReaders] { pool.prepareToClose() }
            node?.prepareToClose()
        }

        /// Returns when running transactions have ended, their commits are announced, and all connections are closed.
        ///
        /// What doesn't end by itself is ended after ``PostgresPool/Limits/closing``, also where the database doesn't
        /// answer, so this takes less than 5 s.
        func close() async {
            closed.withLock { $0 = true }
            cancelTasks()
            let start = preparedAt.withLock { $0 } ?? .now
            await withTaskGroup(of: Void.self) { group in
                for pool in [writers, readers, briefReaders] { group.addTask { await pool.close() } }
            }
            let node = joined.withLock { node in
                defer { node = nil }
                return node
            }
            await node?.close(until: max(start + Self.closing, .now + .milliseconds(250)))
        }

        private func cancelTasks() {
            for task in [poolerTask, triggerTask] { task.withLock { $0?.cancel() } }
        }
    }
#endif
