import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sends bytes unchanged, for requests that no HTTP client sends.
enum RawConnection {
    /// The bytes that were received before the server closed the connection or stopped sending.
    struct Answer: Sendable {
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The statuses of all responses, in order.
        var statuses: [Int] {
            text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
        }
    }

    /// Sends bytes to a local port on a new connection.
    ///
    /// - Parameters:
    ///   - patience: The timeout for the first byte of a response, in milliseconds. The default is long enough for
    ///     hundreds of concurrent tests.
    ///   - quiet: The timeout for each further one, in seconds.
    static func send(_ bytes: [UInt8], to port: Int, patience: Int = 120_000, quiet: Int = 2) async -> Answer {
        let received = Locked<[UInt8]>([])
        await onNewThread {
            let answer = exchange(bytes, port: port, patience: patience, quiet: quiet)
            received.withLock { $0 = answer }
        }
        return Answer(bytes: received.withLock { $0 })
    }

    /// Sends and receives the bytes. It blocks, so it runs on its own thread.
    private static func exchange(_ bytes: [UInt8], port: Int, patience: Int, quiet: Int) -> [UInt8] {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let noSignal = Int32(MSG_NOSIGNAL)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            let noSignal: Int32 = 0
        #endif
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var time = timeval(tv_sec: .init(patience / 1_000), tv_usec: .init(patience % 1_000 * 1_000))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return [] }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                #if canImport(Glibc)
                    Glibc.send(descriptor, $0.baseAddress, $0.count, noSignal)
                #else
                    Darwin.send(descriptor, $0.baseAddress, $0.count, noSignal)
                #endif
            }
            // The server rejected the request while it was sent. The response can still be read.
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < 1 << 20 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if received.isEmpty {
                time = timeval(tv_sec: .init(quiet), tv_usec: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
            }
            received += buffer.prefix(count)
        }
        return received
    }
}
