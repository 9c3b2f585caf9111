import Foundation
import Groundwork
import ReplicaTesting
import JMAP
import Replica
import Testing

/// How a connection handles answers that refuse a whole request.
@Suite(.timeLimit(.minutes(5))) struct ServerConnectionTests {
    /// The error for an answer with a status and a problem document.
    private func error(_ status: Int, _ problem: JSON) async throws -> SyncError? {
        let url = try #require(URL(string: "https://inbox.example"))
        let transport = ScriptedTransport { request in
            TransportResponse(
                status: status,
                headers: ["retry-after": "7"],
                body: problem.utf8,
                url: request.url
            )
        }
        let connection = ServerConnection(
            server: url,
            person: "ann",
            token: { "token" },
            transport: transport,
            clock: SystemClock()
        )
        return await #expect(throws: SyncError.self) { try await connection.currentSession() }
    }

    /// Returns the number of requested tokens when the server accepts only the token of a number, starting at 1.
    ///
    /// - Parameter sleep: How long the device sleeps during the request with the second token.
    private func tokensRequested(untilAccepted accepted: Int, sleeping sleep: Double) async throws -> (
        asked: Int, error: SyncError?
    ) {
        let url = try #require(URL(string: "https://inbox.example"))
        let clock = ManualClock()
        let asked = Locked(0)
        let transport = ScriptedTransport { request in
            let token = request.headers["Authorization"] ?? ""
            if token == "Bearer 2" { clock.advance(by: sleep) }
            let isAccepted = token == "Bearer \(accepted)"
            return TransportResponse(status: isAccepted ? 503 : 401, headers: [:], body: [], url: request.url)
        }
        // The clock advances during a request, and no request may time out because of it.
        var limits = ServerConnection.Limits()
        limits.deadline = 3_600
        let connection = ServerConnection(
            server: url,
            person: "ann",
            token: {
                asked.withLock { asked in
                    asked += 1
                    return String(asked)
                }
            },
            transport: transport,
            clock: clock,
            limits: limits
        )
        let error = await #expect(throws: SyncError.self) { try await connection.currentSession() }
        return (asked.withLock { $0 }, error)
    }

    @Test func `a new token that expires while the device sleeps is replaced too`() async throws {
        let awake = try await tokensRequested(untilAccepted: 3, sleeping: 59)
        guard awake.asked == 2, case .unauthorized = awake.error else {
            Issue.record("the second token was new, but another one was requested: \(awake)")
            return
        }
        let asleep = try await tokensRequested(untilAccepted: 3, sleeping: 60)
        guard asleep.asked == 3, case .status(503, _, _) = asleep.error else {
            Issue.record("the third token wasn't tried: \(asleep)")
            return
        }
    }

    @Test(arguments: ["maxConcurrentRequests", "maxConcurrentUpload"])
    func `an answer for too many concurrent requests is retried after its delay`(_ limit: String) async throws {
        let problem = RequestError.limit(limit, detail: "Too many.").json
        guard case .status(429, 7, "Too many.") = try await error(429, problem) else {
            Issue.record("not the status with its delay")
            return
        }
    }

    @Test func `a request that is too large is reported as one to split`() async throws {
        for (status, problem) in [(400, RequestError.limit("maxSizeRequest", detail: "").json), (413, [:])] {
            guard case .method(let error) = try await error(status, problem) else {
                Issue.record("not a method error")
                return
            }
            #expect(error.type == "requestTooLarge")
        }
    }
}
