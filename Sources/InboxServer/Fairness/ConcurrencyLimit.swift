import Groundwork
import Hummingbird
import InboxService
import JMAP

/// The maximum number of concurrent requests per person, a limit of the core capability (RFC 8620, section 2).
final class ConcurrencyLimit: Sendable {
    private let name: String
    private let limit: Int
    // The number of running requests by person. Accessed only in `withLock`.
    private let running = Locked<[Int: Int]>([:])

    /// - Parameter name: The limit's name in the core capability and in the problem.
    init(_ name: String, _ limit: Int) {
        self.name = name
        self.limit = limit
    }

    /// Runs a request if the person is below the limit. The run includes reading the request's body.
    ///
    /// - Throws: ``Problem`` 429 if the person is at the limit.
    func run(for person: Person, _ body: () async throws -> Response) async throws -> Response {
        let hasBegun = running.withLock { running in
            guard running[person.id, default: 0] < limit else { return false }
            running[person.id, default: 0] += 1
            return true
        }
        guard hasBegun else {
            let detail = "At most \(limit) requests are processed at the same time. Retry in a moment."
            throw Problem(RequestError.limit(name, detail: detail), headers: [.retryAfter: "1"])
        }
        defer {
            running.withLock { running in
                let rest = running[person.id, default: 1] - 1
                running[person.id] = rest == 0 ? nil : rest
            }
        }
        return try await body()
    }
}
