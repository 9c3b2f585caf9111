/// How many writes and queued records a request carries: fewer after the server found a request too large, more again
/// after each that it accepted.
///
/// A state machine without I/O.
struct SendLimits: Hashable, Sendable {
    /// The most records that a batch of writes is about.
    private(set) var batch = Int.max
    /// The most queued records in a request; zero where the server doesn't know their type.
    private(set) var queue = Int.max

    /// Whether queued records are sent at all.
    var sendsQueue: Bool { queue > 0 }

    /// The server accepted a batch. The record that was too large may be among those accepted, so the limit doubles.
    mutating func batchAccepted() { batch = Self.grown(batch) }

    /// The server rejected a batch for its size.
    ///
    /// - Parameter records: The number of records that it was about.
    /// - Returns: False for a single record, which can't be split.
    mutating func batchRejected(records: Int) -> Bool {
        guard records > 1 else { return false }
        batch = records / 2
        return true
    }

    /// The server accepted queued records.
    mutating func queueAccepted() { queue = Self.grown(queue) }

    /// The server rejected queued records for their size.
    ///
    /// - Returns: False for a single record, which can't be split.
    mutating func queueRejected(records: Int) -> Bool {
        queue = max(1, records / 2)
        return records > 1
    }

    /// The server doesn't know the type of the queued records. They wait for one that does.
    mutating func queueUnknown() { queue = 0 }

    /// The session is another one: the server may know the type now.
    mutating func sessionChanged() { queue = .max }

    private static func grown(_ limit: Int) -> Int { limit > 500 ? .max : limit * 2 }
}
