import Foundation
import Groundwork
import Testing

@testable import inbox

/// What the tool reads of a server's answers.
@Suite(.timeLimit(.minutes(5))) struct ServerAPITests {
    private struct Refusing: Transport {
        let retryAfter: String

        func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
            TransportResponse(status: 429, headers: ["retry-after": retryAfter], url: request.url)
        }

        func stream(_ request: TransportRequest) async throws -> TransportStream {
            throw TransportError.unreachable("no network")
        }
    }

    @Test(arguments: [("7", 7.0), ("nan", nil), ("inf", nil), ("-5", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0)])
    func `a time to wait is a number of seconds or a date`(text: String, seconds: Double?) async throws {
        let url = try #require(URL(string: "https://inbox.example"))
        let api = ServerAPI(url: url, key: "key", transport: Refusing(retryAfter: text))
        let error = await #expect(throws: ServerAPIError.self) { _ = try await api.call("GET", ["v1", "status"]) }
        #expect(error?.retryAfter == seconds)
    }
}
