import Replica

/// The failures of a draft's requests: when it is tried again, and when a failure is reported and it isn't.
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
        isLong(\.failing, at: now, after: failures)
    }

    /// Counts a failure of a series, and returns whether it has lasted for so long that it is reported.
    private mutating func isLong(
        _ path: WritableKeyPath<DraftJob, FailureSeries?>,
        at now: Int,
        after failures: Int = minFailures
    ) -> Bool {
        var series = self[keyPath: path] ?? FailureSeries(last: now)
        series.add(at: now, after: retry.flatMap { retry in retry.since.map { retry.notBefore - $0 } } ?? 0)
        self[keyPath: path] = series
        return series.isLong && (retry?.failures ?? 0) + 1 >= failures
    }

    /// Records a retryable failure, in which nothing was changed on the server or it isn't known.
    ///
    /// - Parameters:
    ///   - first: The longest wait after the first failure, in milliseconds.
    ///   - max: The longest wait, in milliseconds.
    ///   - min: The wait that the server asks for, in milliseconds.
    mutating func postpone(
        at now: Int,
        jitter: Double,
        first: Int = 1_000,
        max longest: Int = maxRetryWait,
        min shortest: Int = 0
    ) {
        let failures = min((retry?.failures ?? 0) + 1, 20)
        let full = min(first << min(failures - 1, 12), longest)
        let delay = full / 2 + Int(Double(full / 2) * jitter)
        retry = Retry(failures: failures, notBefore: now + max(delay, shortest), since: now)
    }

    /// Records a retryable failure of the server, or of the way to it.
    mutating func failed(_ error: SyncError, at now: Int, jitter: Double) {
        if outcome == nil { requestFailed(error) }
        let isReported: Bool
        if !error.isOfConnection {
            isReported = hasFailedForLong(at: now)
        } else {
            // Time without a network isn't a failure of the server. It has answered the search before a request to
            // send; a draft that waits for the outcome of one can't be changed or taken back.
            isReported = attempt != nil && !isAtServer && isLong(\.unanswered, at: now)
        }
        if !isReported {
            let shortest = Int(min(error.retryAfter ?? 0, 86_400) * 1_000)
            switch error {
            // As often as a connection is tried again.
            case .status, .transport:
                postpone(at: now, jitter: jitter, max: Self.maxConnectionWait, min: shortest)
            default: postpone(at: now, jitter: jitter)
            }
            return
        }
        // What the server holds is neither refused nor sent meanwhile.
        if hold != nil { return postpone(at: now, jitter: jitter) }
        if released != nil { return abandonRelease() }
        // Also one that was taken back: the server may have been asked to hold it.
        if let attempt { return reportUnknown(since: attempt.since) }
        let refusal = DraftRefusal(.other, error.description)
        if case .send = order { return refuse(refusal) }
        if order == .discard { return discardWasRefused("It couldn't be removed. \(error.description)", at: now) }
        if aftermath?.isToBeMoved ?? false { return moveFailedForLong(error.description, at: now, jitter: jitter) }
        postpone(at: now, jitter: jitter)
        if let aftermath {
            if aftermath.needsCopy { abandonCopy(refusal) }
        } else if order == nil, outcome == nil, isDirty {
            // It is tried again all the same.
            (unsavableRevision, saveRefusal, saveRetryAt) = (revision, refusal, now)
        }
    }

    /// Records that the draft can't be saved or sent unchanged.
    mutating func cannotProceed(_ refusal: DraftRefusal) {
        if isSent { return abandonCopy(refusal) }
        isUploading = false
        if case .send = order { refuse(refusal) } else { saveWasRefused(refusal, revision, retryAt: nil) }
    }

    /// Records that the draft can't be sent as it was read, unless the person has changed it, taken it back or ordered
    /// it again since.
    mutating func cannotSend(_ refusal: DraftRefusal, as read: DraftJob) {
        guard revision == read.revision, order == read.order else { return }
        cannotProceed(refusal)
    }

    /// Records that a file can't be uploaded. The text isn't saved either until it is changed: it would need the file.
    ///
    /// - Parameter retryAt: The time at which it is tried again to save it; nil if the text has to be changed first.
    mutating func cannotUpload(_ refusal: DraftRefusal, retryAt: Int? = nil) {
        cannotProceed(refusal)
        if isSent { return }
        saveWasRefused(refusal, revision, retryAt: retryAt)
    }

    /// Records that the server doesn't have files any more that were uploaded.
    ///
    /// Files that were uploaded long ago may be gone, so they are uploaded again: at once the first time, after a wait
    /// from then on. A server that loses each upload refuses the mail.
    ///
    /// - Parameter files: The files' ids.
    /// - Returns: Whether they have to be uploaded again.
    mutating func lostUploads(of files: [String], at now: Int, jitter: Double) -> Bool {
        var counts = lostUploads ?? [:]
        for id in files { counts[id, default: 0] += 1 }
        lostUploads = counts
        let most = files.compactMap { counts[$0] }.max() ?? Self.maxLostUploads
        if most > 1, most < Self.maxLostUploads { postpone(at: now, jitter: jitter) }
        return most < Self.maxLostUploads
    }
}
