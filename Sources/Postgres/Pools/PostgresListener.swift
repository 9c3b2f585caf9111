import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection of its own that listens on channels. It has to be a direct one: a pooler in transaction mode delivers
/// no notifications.
///
/// A connection that breaks is opened again in the background. Notifications of the time between are lost. After
/// ``Event/listening``, no notification is missed.
package final class PostgresListener: Sendable {
    package enum Event: Hashable, Sendable {
        /// From now on every notification arrives. A reader now reads earlier changes.
        case listening
        case notification(PostgresNotification)
        /// The connection was lost. Notifications are lost until ``listening``.
        case cut
    }

    private let receive: @Sendable (Event) -> Void
    private let settings: PostgresSettings
    private let channels: [String]
    private let backOff: PostgresBackOff
    private let heartbeat: Double
    private let isStopped = Locked(false)
    private let lastFailure = Locked<PostgresError?>(nil)
    // Wakes the thread. The thread closes the reading end, `stop` the writing one.
    private let wakeUp: (reading: Int32, writing: Int32)

    /// Begins to listen in the background.
    ///
    /// - Parameters:
    ///   - heartbeat: The seconds of silence after which the connection is checked, and within which that has to be
    ///     answered.
    ///   - receive: Called with each event, in their order, on the listener's thread: no other thread has to begin
    ///     before a notification is received. It returns soon; what comes meanwhile waits in the connection.
    /// - Throws: ``PostgresError`` of the kind `rejected` if a pooler is between.
    package init(
        _ settings: PostgresSettings,
        channels: [String],
        heartbeat: Double = 5,
        backOff: PostgresBackOff = PostgresBackOff(first: 0.05, longest: 1),
        receive: @escaping @Sendable (Event) -> Void
    ) throws(PostgresError) {
        guard !settings.usesPooler else {
            throw PostgresError(.rejected, "a pooler in transaction mode delivers no notifications")
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw PostgresError(.other, "no pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp = (ends[0], ends[1])
        self.settings = settings
        self.channels = channels
        self.heartbeat = heartbeat
        self.backOff = backOff
        self.receive = receive
        let thread = Thread { self.work() }
        thread.name = "postgres-listener"
        thread.start()
    }

    /// Stops listening. An event may still be received while it returns.
    package func stop() {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        if !wasStopped { _ = Self.close(wakeUp.writing) }
    }

    private static func close(_ file: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(file)
        #elseif canImport(Musl)
            Musl.close(file)
        #else
            Darwin.close(file)
        #endif
    }

    /// The reason for which the connection was lost, or couldn't be opened. Nil while it listens.
    package var failure: PostgresError? { lastFailure.withLock { $0 } }

    // MARK: The thread

    private var mayContinue: Bool { !isStopped.withLock { $0 } }

    private func work() {
        var failures = 0
        var isListening = false
        while mayContinue {
            do throws(PostgresError) {
                let connection = try PostgresConnection(settings)
                connection.deadline = .now + .seconds(heartbeat)
                try connection.pipeline(
                    channels.map { PostgresStatement("LISTEN \(PostgresConnection.quoted($0))", isPrepared: false) }
                )
                failures = 0
                lastFailure.withLock { $0 = nil }
                isListening = true
                receive(.listening)
                try listen(on: connection)
                connection.close()
            } catch {
                lastFailure.withLock { $0 = error }
                if isListening { receive(.cut) }
                isListening = false
                guard mayContinue else { break }
                backOff.pause(after: failures)
                failures += 1
            }
        }
        _ = Self.close(wakeUp.reading)
    }

    private func listen(on connection: PostgresConnection) throws(PostgresError) {
        while mayContinue {
            let arrived = try connection.notifications(
                until: .now + .seconds(heartbeat),
                orReading: wakeUp.reading
            )
            for notification in arrived { receive(.notification(notification)) }
            guard arrived.isEmpty, mayContinue else { continue }
            // A network that was cut sends nothing at all.
            connection.deadline = .now + .seconds(heartbeat)
            try connection.execute("SELECT 1")
        }
    }
}
