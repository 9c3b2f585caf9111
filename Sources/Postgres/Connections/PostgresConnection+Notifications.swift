import CLibpq
import Foundation

/// A notification of another connection, by `NOTIFY` or `pg_notify`.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    package let payload: String
    /// The server's process of the sender's connection.
    package let sender: Int32
}

extension PostgresConnection {
    /// Returns the notifications that have arrived, or waits for the first ones.
    ///
    /// - Parameters:
    ///   - end: When the waiting ends without one.
    ///   - other: A file that ends the waiting as soon as it can be read.
    /// - Throws: ``PostgresError`` of the kind `unavailable` if the connection is lost. It is closed then.
    func notifications(until end: ContinuousClock.Instant, orReading other: Int32 = -1) throws(PostgresError)
        -> [PostgresNotification]
    {
        var arrived = try arrivedNotifications()
        if arrived.isEmpty, try wait(for: POLLIN, until: end, orReading: other) {
            arrived = try arrivedNotifications()
        }
        return arrived
    }

    private func arrivedNotifications() throws(PostgresError) -> [PostgresNotification] {
        guard let handle else { throw lost }
        let isReadable = PQconsumeInput(handle) == 1
        var arrived: [PostgresNotification] = []
        while let notification = PQnotifies(handle) {
            arrived.append(
                PostgresNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra),
                    sender: notification.pointee.be_pid
                )
            )
            PQfreemem(notification)
        }
        guard arrived.isEmpty, !isReadable || PQstatus(handle) != CONNECTION_OK else { return arrived }
        let error = lost
        close()
        throw error
    }
}
