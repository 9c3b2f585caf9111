/// The limits of the writes and queued records in a request. They fall after the server found a request too large, and
/// grow after each request that it accepted.
///
/// A state machine without I/O.
struct SendLimits: Hashable, Sendable {
    /// The maximum number of records in a batch of writes.
    private(set) var batch = Int.max
    /// The maximum number of queued records in a request; 0 if the server doesn't know their type.
    private(set) var queue = Int.max

    /// Whether queued records are sent at all.
    var sendsQueue: Bool { queue > 0 }

    /// Records that the server accepted a batch. The record that was too large may be among those accepted, so the
    /// limit doubles.
    mutating func batchAccepted() { batch = Self.grown(batch) }

    /// Records that the server rejected a batch for its size.
    ///
    /// - Parameter records: The number of records in the batch.
    /// - Returns: False for a single record, which can't be split.
    mutating func batchRejected(records: Int) -> Bool {
        guard records > 1 else { return false }
        batch = records / 2
        return true
    }

    /// Records that the server accepted queued records.
    mutating func queueAccepted() { queue = Self.grown(queue) }

    /// Records that the server rejected queued records for their size.
    ///
    /// - Returns: False for a single record, which can't be split.
    mutating func queueRejected(records: Int) -> Bool {
        queue = max(1, records / 2)
        return records > 1
    }

    /// Records that the server doesn't know the type of the queued records. They stay queued for a server that does.
    mutating func queueUnknown() { queue = 0 }

    /// Resets the limit of the queue for a new session, whose server may know the type.
    mutating func sessionChanged() { queue = .max }

    private static func grown(_ limit: Int) -> Int { limit > 500 ? .max : limit * 2 }
}
