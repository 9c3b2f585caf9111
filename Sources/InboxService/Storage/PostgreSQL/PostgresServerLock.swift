#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// The lock that one server holds on a database, as long as servers don't hear of each other's changes.
    ///
    /// It belongs to a connection of its own, with a thread. When the connection breaks, the lock is acquired again on
    /// the next one: PostgreSQL releases that of a connection that is gone, of a server that was killed too.
    final class PostgresServerLock: Sendable {
        /// The key of the advisory lock: "serve" in ASCII.
        private static let key = 0x73_65_72_76_65
        /// The time between two checks of the connection, in seconds.
        private static let interval = 1.0

        private let settings: PostgresSettings
        private let isReleased = Locked(false)
        private let lost = Locked(false)
        private let wakeUp = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        /// Acquires the lock.
        ///
        /// - Throws: ``ServerSetupError`` if another server holds it; `PostgresError` if the database can't be reached.
        init(_ settings: PostgresSettings) async throws {
            self.settings = settings
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let thread = Thread { self.hold(continuation) }
                thread.name = "postgres-lock"
                thread.start()
            }
        }

        /// Whether another server has acquired the lock, after the connection broke.
        var isLost: Bool { lost.withLock { $0 } }

        private func hold(_ first: CheckedContinuation<Void, any Error>) {
            defer { ended.signal() }
            var connection: PostgresConnection
            do {
                connection = try PostgresConnection(settings)
                guard try Self.acquire(connection) else {
                    throw ServerSetupError(
                        "Another server uses the database. Stop it first: several servers on one database aren't "
                            + "supported yet."
                    )
                }
                first.resume()
            } catch {
                return first.resume(throwing: error)
            }
            while !isReleased.withLock({ $0 }) {
                _ = wakeUp.wait(timeout: .now() + Self.interval)
                if connection.isUsable, (try? connection.execute("SELECT 1")) != nil { continue }
                guard let next = try? PostgresConnection(settings), let isAcquired = try? Self.acquire(next) else {
                    continue
                }
                lost.withLock { $0 = !isAcquired }
                if isAcquired { connection = next }
            }
            connection.close()
        }

        private static func acquire(_ connection: PostgresConnection) throws -> Bool {
            try connection.execute("SELECT pg_try_advisory_lock($1)", [key])[0][0]
        }

        /// Releases the lock, and returns when its connection is closed.
        func release() async {
            isReleased.withLock { $0 = true }
            wakeUp.signal()
            await onNewThread { self.ended.wait() }
        }
    }
#endif
