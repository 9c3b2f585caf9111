import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A POST whose body never comes to its end: the head and the first byte are sent, and the connection stays open.
struct HalfRequest: Sendable {
    private let socket: Int32

    init(port: Int, path: String, token: String) throws {
        #if canImport(Glibc)
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard connected == 0 else { throw UnexpectedAnswer(answer: "can't connect") }
        let head = """
            POST \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Authorization: Bearer \(token)\r
            Content-Type: application/json\r
            Content-Length: 100\r
            \r
            {
            """
        let bytes = Array(head.utf8)
        guard send(socket, bytes, bytes.count, 0) == bytes.count else { throw UnexpectedAnswer(answer: "can't send") }
    }

    func close() {
        shutdown(socket, Int32(SHUT_RDWR))
        #if canImport(Glibc)
            _ = Glibc.close(socket)
        #else
            _ = Darwin.close(socket)
        #endif
    }
}
