import Foundation

/// A port of this machine that refuses connections until ``listen()``, and never answers them from then on.
package final class SilentPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    package init() throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        number = Int(in_port_t(bigEndian: address.sin_port))
        guard descriptor >= 0, isBound else { throw RawSocket.Failed(what: "bind") }
    }

    deinit { close(descriptor) }

    /// Lets the system accept connections, which are read by no one.
    package func listen() throws {
        #if canImport(Darwin)
            let status = Darwin.listen(descriptor, 16)
        #elseif canImport(Glibc)
            let status = Glibc.listen(descriptor, 16)
        #else
            let status = Musl.listen(descriptor, 16)
        #endif
        guard status == 0 else { throw RawSocket.Failed(what: "listen") }
    }
}
