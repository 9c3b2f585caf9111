import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A port of 127.0.0.1 that accepts one request: that with which a browser returns.
///
/// A thread of its own waits for connections, of which there may be several: browsers open some in advance. Each has a
/// time limit, and its request a maximum size. A request for another path, or from a page of another host, gets an
/// error and doesn't end the wait.
final class LoopbackListener: Sendable {
    private enum State {
        case listening
        case waiting(CheckedContinuation<URL, any Error>)
        case returned(URL)
        case stopped
    }

    let port: Int
    private let path: String
    private let descriptor: Int32
    // Guarded by the lock: the thread sets the URL, and callers wait or stop.
    private let state = Locked(State.listening)

    private static let maxConnections = 16
    private static let maxRequest = 16_384
    /// The time for a request, in seconds.
    private static let requestDeadline = 10.0

    #if canImport(Darwin)
        private static let writing = SHUT_WR
    #else
        private static let writing = Int32(SHUT_WR)
    #endif

    /// - Throws: ``SignInError`` with the code `noBrowser` if no port can be opened.
    init(path: String) throws(SignInError) {
        self.path = path
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isOpen = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard descriptor >= 0, isOpen else {
            if descriptor >= 0 { close(descriptor) }
            throw SignInError(.noBrowser, "No port can be opened for the browser's return.")
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            var connections: [Int32: Connection] = [:]
            while let self, step(&connections) {}
            for connection in connections.keys { close(connection) }
            close(descriptor)
        }
    }

    /// Waits for the browser's return.
    ///
    /// - Throws: `CancellationError`.
    func returned() async throws -> URL {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<URL, any Error>? in
                    switch state {
                    case .listening:
                        state = .waiting(continuation)
                        return nil
                    case .returned(let url): return .success(url)
                    case .waiting, .stopped: return .failure(CancellationError())
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            stop()
        }
    }

    /// Closes the port, at the latest after a tenth of a second.
    func stop() {
        let waiting = state.withLock { state -> CheckedContinuation<URL, any Error>? in
            defer { state = .stopped }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(throwing: CancellationError())
    }

    private struct Connection {
        var request: [UInt8] = []
        let end: Date
    }

    /// Waits for a moment, and reads the received bytes.
    ///
    /// - Returns: Whether to continue.
    private func step(_ connections: inout [Int32: Connection]) -> Bool {
        let isOpen = state.withLock { state in
            switch state {
            case .listening, .waiting: true
            case .returned, .stopped: false
            }
        }
        guard isOpen else { return false }
        var ready = connections.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if connections.count < Self.maxConnections {
            ready.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&ready, nfds_t(ready.count), 100) >= 0 || errno == EINTR else { return false }
        for entry in ready where entry.revents != 0 {
            if entry.fd == descriptor {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { continue }
                #if canImport(Darwin)
                    var on: Int32 = 1
                    setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
                #endif
                connections[connection] = Connection(end: Date(timeIntervalSinceNow: Self.requestDeadline))
            } else if !read(entry.fd, &connections) {
                connections[entry.fd] = nil
                close(entry.fd)
            }
        }
        for (descriptor, connection) in connections where connection.end < Date() {
            connections[descriptor] = nil
            close(descriptor)
        }
        return true
    }

    /// Reads a part of a request, and answers it when it is complete.
    ///
    /// - Returns: Whether more of it is to come.
    private func read(_ descriptor: Int32, _ connections: inout [Int32: Connection]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0, var connection = connections[descriptor] else { return false }
        connection.request += buffer[..<count]
        connections[descriptor] = connection
        let answer: LoopbackResponse
        switch LoopbackRequest.read(connection.request, path: path, port: port) {
        case .incomplete where connection.request.count <= Self.maxRequest: return true
        case .incomplete: answer = .tooLarge
        case .refused(let refusal): answer = refusal
        case .returned(let url): answer = finish(with: url)
        }
        var rest = answer.bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    send(descriptor, bytes.baseAddress, bytes.count, 0)
                #else
                    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
        }
        shutdown(descriptor, Self.writing)
        return false
    }

    /// Hands the URL over, once.
    private func finish(with url: URL) -> LoopbackResponse {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<URL, any Error>?) in
            switch state {
            case .listening:
                state = .returned(url)
                return (true, nil)
            case .waiting(let continuation):
                state = .returned(url)
                return (true, continuation)
            case .returned, .stopped:
                return (false, nil)
            }
        }
        waiting?.resume(returning: url)
        return isFirst ? .finished : .notFound
    }
}
