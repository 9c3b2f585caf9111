import JMAP

/// The number of attempts of each write that a server refused for a retryable reason, such as `serverFail`. After
/// ``maxAttempts`` the refusal is final.
///
/// A state machine without I/O.
struct RetryableRefusals: Sendable {
    /// The number of attempts after which a retryable refusal is final. There is no limit if the server only requests a
    /// wait (`rateLimit`).
    static let maxAttempts = 5

    private var attempts: [String: Int] = [:]

    /// Separates final refusals from those after which the write is sent again.
    ///
    /// - Parameters:
    ///   - refused: The final refusals, by id.
    ///   - later: The retryable refusals, by id.
    ///   - type: The type of the records.
    mutating func classify(
        refused: [String: SetError],
        later: [String: SetError],
        of type: String
    ) -> (refused: [String: SetError], later: [String: SetError]) {
        var (refused, waiting) = (refused, later)
        var counted: [String: Int] = [:]
        for (id, error) in later where error.type != "rateLimit" {
            let number = attempts["\(type) \(id)", default: 0] + 1
            if number < Self.maxAttempts {
                counted["\(type) \(id)"] = number
            } else {
                refused[id] = error
                waiting[id] = nil
            }
        }
        // The server has decided about all others of the type.
        attempts = attempts.filter { !$0.key.hasPrefix("\(type) ") }.merging(counted) { $1 }
        return (refused, waiting)
    }
}
