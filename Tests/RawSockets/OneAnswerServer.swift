import Foundation
import Groundwork

/// A server on this machine that answers its first request, and doesn't stop, until nobody takes any more.
package final class EndlessServer: Sendable {
    package let port: Int
    private let descriptor: Int32
    private let isDone = Locked(false)

    package init() throws {
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
                bind(descriptor, address, size) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw RawSocket.Failed(what: "listen") }
        self.descriptor = descriptor
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [isDone] in
            let taken = accept(descriptor, nil, nil)
            var bytes = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".utf8)
            while bytes.withUnsafeBytes({ send(taken, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {
                bytes = [UInt8](repeating: 32, count: 65_536)
            }
            close(taken)
            isDone.withLock { $0 = true }
        }
    }

    deinit { close(descriptor) }

    /// Whether whoever asked has gone away.
    package var isLeft: Bool { isDone.withLock { $0 } }
}
