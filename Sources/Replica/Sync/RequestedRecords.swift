package import Groundwork

/// Records beyond a device's window that a query or the app requests.
package enum RequestedRecords: Hashable, Sendable {
    /// Records by id.
    case ids([String])
    /// A page of the server's records that match a filter, in an order.
    ///
    /// The filter may match more records than the query does, so pages have at most the query's limit.
    case matches(filter: JSON, sort: JSON, position: Int, limit: Int)
}

/// The server's answer to ``RequestedRecords``. The records in it are already stored.
package struct RequestedRecordsResponse: Hashable, Sendable {
    /// The number of records in the answer.
    package var count: Int
    /// Whether the server has no further records.
    package var isLast: Bool
    /// The state of the answer; nil if the server sent none.
    package var state: String?
}

/// The requests for records beyond the window that callers wait for.
///
/// A state machine without I/O. Equal requests share one outcome.
struct FetchRequests: Sendable {
    private struct Request: Sendable {
        let number: Int
        let type: String
        let records: RequestedRecords
        /// Nil while the server hasn't answered.
        var outcome: Result<RequestedRecordsResponse, SyncError>?
    }

    private var requests: [Request] = []
    private var lastNumber = 0

    /// Adds a request.
    ///
    /// - Returns: Its number, for ``outcome(of:)`` and ``remove(_:)``.
    mutating func add(_ records: RequestedRecords, of type: RecordType) -> Int {
        lastNumber += 1
        requests.append(Request(number: lastNumber, type: type.name, records: records))
        return lastNumber
    }

    mutating func remove(_ number: Int) { requests.removeAll { $0.number == number } }

    /// Returns the next records of a type that haven't been requested from the server yet.
    func next(of type: RecordType) -> RequestedRecords? {
        requests.first { $0.type == type.name && $0.outcome == nil }?.records
    }

    mutating func complete(
        _ records: RequestedRecords,
        of type: RecordType,
        _ outcome: Result<RequestedRecordsResponse, SyncError>
    ) {
        for index in requests.indices where requests[index].type == type.name && requests[index].records == records {
            requests[index].outcome = outcome
        }
    }

    /// Returns the outcome of a request; nil while there is none.
    func outcome(of number: Int) -> Result<RequestedRecordsResponse, SyncError>? {
        requests.first { $0.number == number }?.outcome
    }
}
