import Groundwork
import Hummingbird
import InboxService
import JMAP

/// How many requests of one person are answered at the same time: a limit of the core capability (RFC 8620 §2).
final class ConcurrencyLimit: Sendable {
    private let name: String
    private let limit: Int
    // How many are running, by person; reached in `withLock` alone.
    private let running = Locked<[Int: Int]>([:])

    /// - Parameter name: As the core capability and the problem name it.
    init(_ name: String, _ limit: Int) {
        self.name = name
        self.limit = limit
    }

    /// Answers a request, from the reading of its body on.
    ///
    /// - Throws: ``Problem`` 429 where as many are running as may.
    func run(for person: Person, _ answer: () async throws -> Response) async throws -> Response {
        let hasBegun = running.withLock { running in
            guard running[person.id, default: 0] < limit else { return false }
            running[person.id, default: 0] += 1
            return true
        }
        guard hasBegun else {
            let detail = "At most \(limit) requests are answered at the same time. Repeat this one in a moment."
            throw Problem(RequestError.limit(name, detail: detail), headers: [.retryAfter: "1"])
        }
        defer {
            running.withLock { running in
                let rest = running[person.id, default: 1] - 1
                running[person.id] = rest == 0 ? nil : rest
            }
        }
        return try await answer()
    }
}
