/// A device's clock that is set back, for good or for a while.
///
/// Recorded times stay as they are: the clock may be right again. A recorded time in the future counts as the time at
/// which the device detected that, so that no wait gets longer. The date that the person gave for a mail is never
/// changed.
extension DraftJob {
    /// Returns the time at which something counts as recorded.
    func recorded(_ time: Int, at now: Int) -> Int {
        guard time > now, let clockSetBackAt else { return time }
        return min(clockSetBackAt, now)
    }

    /// Returns the end of a wait, given its planned end and its beginning.
    func end(of time: Int, since: Int, at now: Int) -> Int { time - since + recorded(since, at: now) }

    /// Returns the time of the order to send; nil without one.
    func sendTime(at now: Int) -> Int? {
        guard case .send(let time) = order else { return nil }
        // Documents of earlier versions don't record it. No app lets a person wait for longer to take a mail back.
        let isForLater = isForLater ?? (time - orderedAt > 600_000)
        return isForLater ? time : end(of: time, since: orderedAt, at: now)
    }

    /// The recorded times.
    private var recordedTimes: [Int] {
        var times = [editedAt, orderedAt]
        times += [attempt?.since, retry?.since, saved?.at, removedAt, hold?.since].compactMap { $0 }
        if case .sent(_, let time) = outcome { times.append(time) }
        if let saveRetryAt { times.append(saveRetryAt - Self.saveRetryPause) }
        return times
    }

    /// The latest of the recorded times. A clock that is before it was set back.
    var latestTime: Int { recordedTimes.max() ?? 0 }

    /// Takes into account that the device's clock may have been set back, or be right again.
    ///
    /// - Parameter isSetBack: Whether it was set back just now.
    /// - Returns: Whether that changes the waits.
    mutating func adjust(toClock now: Int, isSetBack: Bool) -> Bool {
        let before = clockSetBackAt
        if !recordedTimes.contains(where: { $0 > now }) {
            clockSetBackAt = nil
        } else if isSetBack || (before ?? .max) > now {
            clockSetBackAt = now
        }
        let isHoldAffected = checkHold(atClock: now, isSetBack: isSetBack)
        return clockSetBackAt != before || isHoldAffected
    }

    /// Marks the mail that the server holds as one to ask about, if the device's clock was set back: the server's goes
    /// on.
    ///
    /// - Returns: Whether it is asked for that reason.
    private mutating func checkHold(atClock now: Int, isSetBack: Bool) -> Bool {
        guard let hold, hold.clock != .changed else { return false }
        // After a restart, the recorded time alone shows it, and once is enough.
        let isFound = hold.clock == nil && (hold.since ?? 0) > now
        guard isSetBack || isFound else { return false }
        self.hold?.clock = .changed
        return true
    }
}
