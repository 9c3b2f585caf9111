import Foundation
import Groundwork

/// Requests on a connection each, whose responses aren't read.
final class Sockets: Sendable {
    private let sockets: Locked<[Int32]>

    init(_ requests: [PreparedRequest], to port: Int) throws {
        sockets = Locked([])
        for request in requests {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard socket >= 0 else { throw BenchmarkError("no more connections") }
            sockets.withLock { $0.append(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { throw BenchmarkError("a server refuses a connection") }
            var sent = 0
            while sent < request.bytes.count {
                let count = request.bytes.withUnsafeBytes { buffer in
                    send(socket, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, 0)
                }
                guard count > 0 else { throw BenchmarkError("a server closed a connection") }
                sent += count
            }
        }
    }

    /// The number of connections on which a response has begun.
    var answered: Int {
        sockets.withLock { sockets in
            sockets.count { socket in
                var byte: UInt8 = 0
                return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
            }
        }
    }

    /// Closes all connections.
    func close() {
        sockets.withLock { sockets in
            for socket in sockets { Foundation.close(socket) }
            sockets = []
        }
    }

    deinit { close() }
}
