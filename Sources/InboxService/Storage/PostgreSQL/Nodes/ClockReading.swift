#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// The time of a server's clock and of the database's at one moment, as far as the round trip allows.
    struct ClockReading: Sendable {
        /// The seconds by which the server's clock is ahead of the database's at least, and at most. Negative if it is
        /// behind.
        let ahead: ClosedRange<TimeInterval>

        /// - Parameters:
        ///   - database: The time of the database's clock.
        ///   - before: The time of the server's clock before the database's was asked for.
        ///   - after: The same when it was there. Earlier if the clock was set back meanwhile.
        init(database: Date, before: Date, after: Date) {
            let bounds = [before, after].map { $0.timeIntervalSince(database) }.sorted()
            ahead = bounds[0]...bounds[1]
        }

        /// Whether one of the clocks was set between this reading and another one.
        func isApart(from other: ClockReading) -> Bool {
            let variation = ClockDifference.variation
            return other.ahead.lowerBound - ahead.upperBound > variation
                || ahead.lowerBound - other.ahead.upperBound > variation
        }

        /// Asks for the time of the database's clock, in a round trip of its own: a heartbeat may wait for the row.
        ///
        /// - Parameter clock: The server's clock.
        init(_ clock: any WallClock, _ connection: PostgresConnection) throws {
            let before = clock.now
            let now: Int = try connection.execute("SELECT \(NodeNumber.now)")[0][0]
            self.init(database: Date(milliseconds: now), before: before, after: clock.now)
        }
    }
#endif
