import Groundwork
import JMAP

/// The states of the account's mails to which the changes of one process led, by those before them.
struct OwnChanges {
    private var changes: [String: String] = [:]

    private static let maxCount = 10_000

    /// Records the changes that an answer reports.
    mutating func note(_ response: Response) {
        for answer in response.methodResponses where answer.name == "Email/set" {
            guard let old = answer.arguments.value["oldState"]?.stringValue,
                let new = answer.arguments.value["newState"]?.stringValue, old != new
            else { continue }
            if changes.count >= Self.maxCount { changes = [:] }
            changes[old] = new
        }
    }

    /// Whether nothing but these changes was made to the account's mails between two states.
    func areAll(from state: String, to other: String) -> Bool {
        var (state, steps) = (state, 0)
        while state != other {
            guard steps < Self.maxCount, let next = changes[state] else { return false }
            (state, steps) = (next, steps + 1)
        }
        return true
    }
}
