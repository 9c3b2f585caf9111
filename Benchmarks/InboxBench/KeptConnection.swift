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

    /// Returns the body of the response.
    func answer(to prepared: PreparedRequest) throws -> [UInt8] {
        try prepared.bytes.withUnsafeBytes { buffer in
            var body: UnsafeMutablePointer<CChar>?
            var length = 0
            let request = raw_request(
                bytes: buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                length: buffer.count
            )
            let status = raw_exchange(handle, request, &body, &length)
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
}
