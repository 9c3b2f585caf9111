#if canImport(Glibc)
    import Foundation
    import Glibc

    /// A port of this machine that never says anything, as a machine that has failed.
    final class SilentHost: Sendable {
        struct Failed: Error {
            let what: String
            let code = errno
        }

        let port: Int
        private let listener: Int32
        private let clients: [Int32]

        /// - Parameter acceptsConnections: Whether connections are accepted. Otherwise not even that is answered.
        init(acceptsConnections: Bool) throws {
            func newSocket() throws -> Int32 {
                let new = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                guard new >= 0 else { throw Failed(what: "socket") }
                return new
            }
            listener = try newSocket()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = listener
            let isBound = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
                }
            }
            guard isBound, listen(listener, acceptsConnections ? 128 : 0) == 0 else { throw Failed(what: "listen") }
            port = Int(in_port_t(bigEndian: address.sin_port))
            // Once the queue of connections is full, the system drops what comes for further ones.
            clients = try (0..<(acceptsConnections ? 0 : 8)).map { _ in
                let client = try newSocket()
                withUnsafePointer(to: &address) { address in
                    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, size) }
                }
                return client
            }
        }

        deinit { for socket in clients + [listener] { close(socket) } }
    }
#endif
