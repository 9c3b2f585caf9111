import JMAP

/// Counts how often a server refused a write for a reason that may pass, such as `serverFail`: it is sent again, but
/// not for ever. A state machine without I/O.
struct PassingRefusals: Sendable {
    /// How often a write is sent before such a refusal is taken for good. Where the server only asks to wait
    /// (`rateLimit`), there is no end.
    static let mostTries = 5

    private var tries: [String: Int] = [:]

    /// What is to be given up, and what is to be sent again later.
    ///
    /// - Parameters:
    ///   - refused: What the server refused for good.
    ///   - later: What it may take later, each with its reason.
    ///   - type: The type of the records.
    mutating func settle(
        refused: [String: SetError],
        later: [String: SetError],
        of type: String
    ) -> (refused: [String: SetError], later: [String: SetError]) {
        var (refused, waiting) = (refused, later)
        var counted: [String: Int] = [:]
        for (id, error) in later where error.type != "rateLimit" {
            let number = tries["\(type) \(id)", default: 0] + 1
            if number < Self.mostTries {
                counted["\(type) \(id)"] = number
            } else {
                refused[id] = error
                waiting[id] = nil
            }
        }
        // What isn't among them was answered.
        tries = tries.filter { !$0.key.hasPrefix("\(type) ") }.merging(counted) { $1 }
        return (refused, waiting)
    }
}
