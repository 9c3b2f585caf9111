import Foundation
import Groundwork
import RawCounterpart

/// An HTTP request, encoded in advance.
struct PreparedRequest: Sendable {
    let bytes: [UInt8]

    init(path: String, bearer: String? = nil, body: [UInt8]) {
        let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(authorization)"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        bytes = Array(head.utf8) + body
    }

    init(get path: String, bearer: String) {
        bytes = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(bearer)\r\n\r\n".utf8)
    }

    init(get path: String, cookie: String) {
        let fields = "Host: 127.0.0.1\r\nCookie: \(cookie)\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\n"
        bytes = Array("GET \(path) HTTP/1.1\r\n\(fields)\r\n".utf8)
    }

    /// Sends the request once, on a connection of its own.
    ///
    /// - Returns: The body of the response.
    func answer(from port: Int) throws -> [UInt8] {
        try KeptConnection(port).answer(to: self)
    }

    func json(from port: Int) throws -> JSON {
        try JSON(parsing: try answer(from: port))
    }
}

/// The results of requests over persistent connections. Each connection waits for a response before its next request.
struct Load: Sendable {
    static let connections = 16

    /// The number of responses per second.
    let rate: Double
    /// The latencies in seconds.
    let latencies: [Double]

    /// Sends requests for a time, or until `limit` of them were answered.
    ///
    /// - Parameter requests: The requests, which are sent in order.
    init(
        _ requests: [PreparedRequest],
        to port: Int,
        seconds: Double,
        limit: Int = 0,
        connections: Int = Self.connections
    ) throws {
        let all = requests.flatMap(\.bytes)
        var result = try all.withUnsafeBytes { buffer in
            var offset = 0
            let parts = requests.map { request in
                defer { offset += request.bytes.count }
                return raw_request(
                    bytes: buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self),
                    length: request.bytes.count
                )
            }
            var result = raw_load_result()
            let code = raw_load(Int32(port), parts, parts.count, connections, seconds, limit, &result)
            guard code == 0 else { throw BenchmarkError("a server closed a connection") }
            return result
        }
        latencies = Array(UnsafeBufferPointer(start: result.latencies, count: result.measured))
        rate = Double(result.answered) / result.seconds
        let refused = result.refused
        raw_load_result_free(&result)
        guard refused == 0 else { throw BenchmarkError("a server refused \(refused) requests") }
    }
}
