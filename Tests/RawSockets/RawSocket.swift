import Foundation
import Groundwork

/// A TCP connection to this machine that sends given bytes.
package final class RawSocket: Sendable {
    package struct Failed: Error {
        package let what: String
        package let code = errno
    }

    private let descriptor: Int32
    private let isOpen = Locked(true)

    /// - Parameter receiveBuffer: The size of the system's receive buffer in bytes; nil for the default.
    package init(port: Int, receiveBuffer: Int32? = nil) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw Failed(what: "socket") }
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` closes the socket, also of an initializer that throws here.
        guard connected == 0 else { throw Failed(what: "connect") }
    }

    deinit { close() }

    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failed(what: "send") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the text contains `text`, the other side closes, or the time is over.
    ///
    /// - Returns: The text, and whether the other side has closed.
    package func read(until text: String? = nil, within seconds: Double = 120) async -> (text: String, isClosed: Bool) {
        let result = Locked(("", false))
        await onNewThread { [self] in
            let deadline = ContinuousClock.now + .seconds(seconds)
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while ContinuousClock.now < deadline {
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&ready, 1, 50) > 0 else { continue }
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    result.withLock { $0 = (String(decoding: bytes, as: UTF8.self), true) }
                    return
                }
                bytes += buffer[..<count]
                if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
            }
            result.withLock { $0 = (String(decoding: bytes, as: UTF8.self), false) }
        }
        return result.withLock { $0 }
    }

    /// Closes the connection: with a FIN or, if `abruptly`, with a reset.
    package func close(abruptly: Bool = false) {
        guard
            isOpen.withLock({ isOpen in
                defer { isOpen = false }; return isOpen
            })
        else { return }
        if abruptly {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
        Foundation.close(descriptor)
    }
}
