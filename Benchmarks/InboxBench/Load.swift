import Foundation
import Groundwork
import RawCounterpart

/// A request as its bytes.
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

    /// Sends it once.
    ///
    /// - Returns: The body of the answer.
    func answer(from port: Int) throws -> [UInt8] {
        try bytes.withUnsafeBytes { buffer in
            var body: UnsafeMutablePointer<CChar>?
            var length = 0
            let request = raw_request(
                bytes: buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                length: buffer.count
            )
            let status = raw_exchange(Int32(port), request, &body, &length)
            defer { free(body) }
            let answer = Array(UnsafeRawBufferPointer(start: body, count: length))
            guard (200...299).contains(status) else {
                throw BenchmarkError(
                    "a server answers \(status): \(String(decoding: answer.prefix(300), as: UTF8.self))"
                )
            }
            return answer
        }
    }

    func json(from port: Int) throws -> JSON {
        try JSON(parsing: try answer(from: port))
    }
}

/// What came of requests over kept connections, each of which waits for its answer before it asks again.
struct Load: Sendable {
    static let connections = 16

    /// Answers in a second.
    let rate: Double
    /// In seconds.
    let latencies: [Double]

    /// Asks for a time, or until so many were answered.
    ///
    /// - Parameter requests: Sent one after the other.
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
            guard code == 0 else { throw BenchmarkError("a server broke off") }
            return result
        }
        latencies = Array(UnsafeBufferPointer(start: result.latencies, count: result.measured))
        rate = Double(result.answered) / result.seconds
        let refused = result.refused
        raw_load_result_free(&result)
        guard refused == 0 else { throw BenchmarkError("a server refused \(refused) requests") }
    }
}
