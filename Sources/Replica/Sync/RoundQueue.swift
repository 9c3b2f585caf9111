/// The round that is under way, and the one after it.
///
/// A state machine without I/O. `Work` is the value that a caller awaits, such as a task.
struct RoundQueue<Work: Sendable>: Sendable {
    private struct Round: Sendable {
        let number: Int
        let work: Work
    }

    /// The round that is under way or about to begin.
    private var running: Round?
    /// The round after ``running``.
    private var queued: Round?
    private var lastNumber = 0

    /// Whether no round is under way.
    var isIdle: Bool { running == nil }

    /// The rounds that haven't ended.
    var all: [Work] { [running, queued].compactMap { $0?.work } }

    /// Returns the round that begins next. Calls during a round share the one after it, because the round under way may
    /// have missed the change that led to the call.
    ///
    /// - Parameter make: Makes a new round, given its number and the round after which it begins.
    mutating func next(_ make: (_ number: Int, _ previous: Work?) -> Work) -> Work {
        if let queued { return queued.work }
        lastNumber += 1
        let round = Round(number: lastNumber, work: make(lastNumber, running?.work))
        if isIdle { running = round } else { queued = round }
        return round.work
    }

    /// Makes a round the one under way, if it is the queued one.
    mutating func begin(_ number: Int) {
        guard let round = queued, round.number == number else { return }
        (running, queued) = (round, nil)
    }

    /// Records the end of a round.
    mutating func end(_ number: Int) {
        if running?.number == number { running = nil }
    }
}
