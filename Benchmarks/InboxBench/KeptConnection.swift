import Foundation
import RawCounterpart

/// A persistent connection, as an app's backend has one, on which one request follows the other.
final class KeptConnection {
    private let handle: OpaquePointer

    init(_ port: Int) throws {
        guard let handle = raw_connect(Int32(port)) else { throw BenchmarkError("a server can't be reached") }
        self.handle = handle
    }

    deinit { raw_disconnect(handle) }

    /// Sends a request, and returns the body of the response.
    func answer(to prepared: PreparedRequest) throws -> [UInt8] {
        try send(prepared)
        return try answer()
    }

    /// Sends a request, to which ``answer()`` waits for the response.
    func send(_ prepared: PreparedRequest) throws {
        let code = prepared.bytes.withUnsafeBytes { buffer in
            let request = raw_request(
                bytes: buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                length: buffer.count
            )
            return raw_send_request(handle, request)
        }
        guard code == 0 else { throw BenchmarkError("a server closed a connection") }
    }

    /// Returns the body of the response to the request that was sent.
    func answer() throws -> [UInt8] {
        var body: UnsafeMutablePointer<CChar>?
        var length = 0
        let status = raw_read_response(handle, &body, &length)
        defer { free(body) }
        let answer = Array(UnsafeRawBufferPointer(start: body, count: length))
        guard (200...299).contains(status) else {
            throw BenchmarkError("a server answers \(status): \(String(decoding: answer.prefix(300), as: UTF8.self))")
        }
        return answer
    }
}
