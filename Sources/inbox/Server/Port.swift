#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP port of this machine.
enum Port {
    /// Returns the reason why a server can't listen on the port, and its solution. Nil if it can, or if the check isn't
    /// possible.
    static func problem(_ port: Int, host: String) -> String? {
        let code: CInt
        switch failure(port, host: host) {
        case nil: return nil
        case .lookup(let reason)?:
            return
                """
                The host \(host.plainLine) of --host can't be looked up: \(reason). Choose an address of this machine: \
                127.0.0.1 for this machine only, 0.0.0.0 for all its addresses.
                """
        case .system(let error)?: code = error
        }
        switch code {
        case EADDRNOTAVAIL:
            return
                """
                This machine has no address \(host). Choose another --host: 127.0.0.1 for this machine only, 0.0.0.0 \
                for all its addresses.
                """
        case EACCES:
            return
                """
                Port \(port) on \(host) isn't allowed for this user. Choose a --port of 1024 or higher, or 0 for any \
                free port.
                """
        case EADDRINUSE:
            return "Port \(port) on \(host) is in use. Choose another --port, or 0 for any free port."
        default:
            return "The server can't listen on port \(port) of \(host): \(String(cString: strerror(code)))."
        }
    }

    private enum Reason {
        /// The resolver's.
        case lookup(String)
        /// `errno`.
        case system(CInt)
    }

    private static func failure(_ port: Int, host: String) -> Reason? {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .lookup(gai_strerror(code).map { String(cString: $0) } ?? "error \(code)") }
        guard let first = list else { return nil }
        defer { freeaddrinfo(list) }
        let descriptor = socket(first.pointee.ai_family, first.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // As the server does: connections of an earlier run in TIME_WAIT don't count.
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, 1) == 0 else {
            return .system(errno)
        }
        return nil
    }
}
