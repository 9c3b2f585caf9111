import Foundation
import Groundwork
import InboxTesting
import JMAP
import Replica
import Testing

/// What a connection makes of answers that refuse a whole request.
@Suite struct ServerConnectionTests {
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

    @Test(arguments: ["maxConcurrentRequests", "maxConcurrentUpload"])
    func tooManyRequestsAtATime_areWaitedFor(_ limit: String) async throws {
        let problem = RequestError.limit(limit, detail: "Too many.").json
        guard case .status(429, 7, "Too many.") = try await error(429, problem) else {
            Issue.record("not the status, with the time to wait")
            return
        }
    }

    @Test func aRequestThatIsTooLarge_isToBeSplit() async throws {
        for (status, problem) in [(400, RequestError.limit("maxSizeRequest", detail: "").json), (413, [:])] {
            guard case .method(let error) = try await error(status, problem) else {
                Issue.record("not an error of the method")
                return
            }
            #expect(error.type == "requestTooLarge")
        }
    }
}
