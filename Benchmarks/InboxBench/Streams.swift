import RawCounterpart

/// Event streams that stay open.
final class Streams {
    private let handle: OpaquePointer

    /// Opens a stream for each request, and waits until each has received its first bytes.
    init(_ requests: [PreparedRequest], to port: Int) throws {
        let all = requests.flatMap(\.bytes)
        let handle = all.withUnsafeBytes { buffer -> OpaquePointer? in
            var offset = 0
            let parts = requests.map { request in
                defer { offset += request.bytes.count }
                return raw_request(
                    bytes: buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self),
                    length: request.bytes.count
                )
            }
            return raw_streams_open(Int32(port), parts, parts.count)
        }
        guard let handle else { throw BenchmarkError("a server doesn't open \(requests.count) streams") }
        self.handle = handle
    }

    deinit { raw_streams_close(handle) }

    /// Waits until each stream has received one more event.
    func waitForEvent() throws {
        guard raw_streams_wait(handle) == 0 else { throw BenchmarkError("a stream ended, or received nothing") }
    }

    /// Reads incoming events for the given time.
    func read(seconds: Double) throws {
        guard raw_streams_read(handle, seconds) == 0 else { throw BenchmarkError("a stream ended") }
    }
}
