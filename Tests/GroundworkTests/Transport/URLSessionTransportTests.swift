import Eventually
import Foundation
import Groundwork
import RawSockets
import Testing

/// Over a real connection.
@Suite struct URLSessionTransportTests {
    private func request(_ server: EndlessServer) throws -> TransportRequest {
        TransportRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), headers: [:])
    }

    @Test func answerThatIsTooLarge_isRefused_andArrivesNoLonger() async throws {
        let server = try EndlessServer()
        let transport = URLSessionTransport()
        await #expect(throws: TransportError.tooLarge(limit: 100_000)) {
            try await transport.send(try request(server), maxBytes: 100_000)
        }
        #expect(try await eventually { server.isLeft })
    }

    @Test func streamThatNobodyReadsAnyMore_isGivenUp() async throws {
        let server = try EndlessServer()
        let transport = URLSessionTransport()
        var count = 0
        for try await piece in try await transport.stream(try request(server)).body {
            count += piece.count
            if count > 100_000 { break }
        }
        #expect(try await eventually { server.isLeft })
    }
}
