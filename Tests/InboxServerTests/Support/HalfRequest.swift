import RawSockets

/// A POST request whose body never ends: the head and the first byte are sent, and the connection stays open.
struct HalfRequest: Sendable {
    private let socket: RawSocket

    init(port: Int, path: String, token: String) throws {
        socket = try RawSocket(port: port)
        try socket.send(
            """
            POST \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Authorization: Bearer \(token)\r
            Content-Type: application/json\r
            Content-Length: 100\r
            \r
            {
            """
        )
    }

    /// Returns whether the server closes the connection.
    func isClosed() async -> Bool { await socket.read().isClosed }

    func close() { socket.close() }
}
