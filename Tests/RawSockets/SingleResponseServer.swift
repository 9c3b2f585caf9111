import Foundation
import Groundwork

/// A server on this machine that answers only its first request. An endless response sends 64 kB every few
/// milliseconds, so that a client that closes slowly doesn't receive too much.
package final class SingleResponseServer: Sendable {
    package let port: Int
    private let descriptor: Int32
    /// Whether the thread or the server doesn't use the listening socket any longer. The second of them closes it: the
    /// thread would otherwise wait on the socket that took its number.
    private let isLeft = Locked(false)
    private let isConnected = Locked(false)
    private let isDone = Locked(false)
    private let read = Locked<[String]>([])

    /// - Parameters:
    ///   - response: The whole response, from the status line. Nil for an endless one, which stops when the client
    ///     closes.
    ///   - count: The number of connections that get it, one after the other.
    package init(response: String? = nil, count: Int = 1) throws {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw RawSocket.Failed(what: "listen") }
        self.descriptor = descriptor
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [isConnected, isDone, read, isLeft] in
            defer { Self.leave(descriptor, isLeft) }
            for _ in 0..<count {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                isConnected.withLock { $0 = true }
                // A client takes an answer that comes before its request for an invalid one. And closing a connection
                // with an unread request would reset it.
                let request = Self.readRequest(connection)
                read.withLock { $0.append(request) }
                var bytes = Array((response ?? "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n").utf8)
                while bytes.withUnsafeBytes({ send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {
                    if response != nil { break }
                    bytes = [UInt8](repeating: 32, count: 65_536)
                    usleep(5_000)
                }
                close(connection)
            }
            isDone.withLock { $0 = true }
        }
    }

    /// Reads a request with its body, whose length its head states; of one without a length, the first bytes.
    private static func readRequest(_ connection: Int32) -> String {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var length = 0
        repeat {
            let count = buffer.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            request += buffer[..<count]
            let text = String(decoding: request.prefix(4_096), as: UTF8.self)
            if length == 0, let end = text.range(of: "\r\n\r\n") {
                let field = text.lowercased().range(of: "content-length: ")
                let digits = field.map { text.lowercased()[$0.upperBound...].prefix { $0.isNumber } }
                length = text[..<end.upperBound].utf8.count + (digits.flatMap { Int($0) } ?? 0)
            }
        } while request.count < length
        return String(decoding: request, as: UTF8.self)
    }

    deinit {
        // Ends the `accept` that waits for a request.
        shutdown(descriptor, Int32(SHUT_RDWR))
        Self.leave(descriptor, isLeft)
    }

    private static func leave(_ descriptor: Int32, _ isLeft: Locked<Bool>) {
        isLeft.withLock { isLeft in
            if isLeft { close(descriptor) }
            isLeft = true
        }
    }

    /// The requests.
    package var requests: [String] { read.withLock { $0 } }

    /// Whether a client has connected.
    package var hasConnection: Bool { isConnected.withLock { $0 } }

    /// Whether the response has ended, such as because the client has closed the connection.
    package var hasEnded: Bool { isDone.withLock { $0 } }
}
