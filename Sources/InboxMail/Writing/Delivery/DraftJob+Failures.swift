/// The time for which a draft has failed, after which the failure is reported and it isn't tried again.
extension DraftJob {
    /// A series of retryable failures.
    ///
    /// It is reported after a day of tries: the time between two of them counts up to the wait that was planned, or an
    /// hour. It is also reported after failures on five days, over a week or more, for a device that is used for a
    /// minute a day. A failure begins another day 20 hours or more after the one that began the last.
    ///
    /// The device's clock may be wrong meanwhile. Set ahead, it counts as one wait, and as one day. Set back, it counts
    /// as no wait, and the days are counted from then on.
    struct FailureSeries: Codable, Hashable, Sendable {
        /// The days on which it failed.
        struct Days: Codable, Hashable, Sendable {
            var count = 1
            /// The time of the first failure.
            var first: Int
            /// The time of the first failure of the last day.
            var last: Int
        }

        /// The time of the last one.
        var last: Int
        /// The time for which it was tried, in milliseconds.
        var duration = 0
        /// The days on which it failed. Documents of earlier versions have none.
        var days: Days?

        /// Counts a failure.
        ///
        /// - Parameter wait: The wait that was planned since the last one, in milliseconds.
        mutating func add(at now: Int, after wait: Int) {
            duration += min(max(0, now - last), max(wait, DraftJob.maxRetryWait))
            last = now
            var days = days ?? Days(first: now, last: now)
            if days.last - now >= DraftJob.failureDay { days = Days(first: now, last: now) }
            if now - days.last >= DraftJob.failureDay { (days.count, days.last) = (days.count + 1, now) }
            self.days = days
        }

        /// Whether it has lasted for so long that it is reported.
        var isLong: Bool {
            if duration >= DraftJob.maxPostponement { return true }
            guard let days else { return false }
            return days.count >= DraftJob.minFailureDays && last - days.first >= DraftJob.failureWeek
        }
    }

    /// The time of tries after which retryable failures count as a refusal, in milliseconds.
    static let maxPostponement = 86_400_000
    /// The number of days with failures after which they do, on a device that is seldom used.
    static let minFailureDays = 5
    /// The time from the first to the last of these failures, in milliseconds.
    static let failureWeek = 7 * 86_400_000
    /// The time after which a failure begins another day, in milliseconds.
    static let failureDay = 72_000_000
    /// The number of failures in a row without which they don't, however long the server asks to wait after each.
    static let minFailures = 3

    /// Counts a retryable failure.
    ///
    /// - Parameter failures: The number of failures in a row without which it hasn't failed for long.
    /// - Returns: Whether it has failed for so long that it isn't tried again (``FailureSeries``).
    mutating func hasFailedForLong(at now: Int, after failures: Int = minFailures) -> Bool {
        var series = failing ?? FailureSeries(last: now)
        series.add(at: now, after: retry.flatMap { retry in retry.since.map { retry.notBefore - $0 } } ?? 0)
        failing = series
        return series.isLong && (retry?.failures ?? 0) + 1 >= failures
    }
}
