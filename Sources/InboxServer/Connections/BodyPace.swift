/// Whether a request's body comes fast enough. A state machine without I/O; times are seconds of any clock.
struct BodyPace: Sendable {
    private let grace: Double
    private let rate: Double
    private let start: Double
    private var received = 0

    enum Verdict: Equatable {
        /// In time; look again then.
        case fast(until: Double)
        case tooSlow
    }

    /// - Parameter start: When the head had arrived.
    init(limits: ConnectionLimits, start: Double) {
        grace = limits.bodyGrace
        rate = Double(limits.bodyRate)
        self.start = start
    }

    /// When a body with no more than has come would be too slow.
    var deadline: Double { start + max(grace, Double(received) / rate) }

    mutating func receive(_ bytes: Int) {
        received += bytes
    }

    func verdict(at now: Double) -> Verdict {
        now < deadline ? .fast(until: deadline) : .tooSlow
    }
}
