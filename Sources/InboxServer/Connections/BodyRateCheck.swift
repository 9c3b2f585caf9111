/// Determines whether a request's body arrives fast enough. A state machine without I/O. Times are in seconds of any
/// clock.
struct BodyRateCheck: Sendable {
    private let grace: Double
    private let rate: Double
    private let start: Double
    private var received = 0

    enum Verdict: Equatable {
        /// The body arrives in time. Check again at the given time.
        case fast(until: Double)
        case tooSlow
    }

    /// - Parameter start: The time at which the head had arrived.
    init(limits: ConnectionLimits, start: Double) {
        grace = limits.bodyGrace
        rate = Double(limits.bodyRate)
        self.start = start
    }

    /// The time from which the body is too slow if nothing more arrives.
    var deadline: Double { start + max(grace, Double(received) / rate) }

    mutating func receive(_ bytes: Int) {
        received += bytes
    }

    func verdict(at now: Double) -> Verdict {
        now < deadline ? .fast(until: deadline) : .tooSlow
    }
}
