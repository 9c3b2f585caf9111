import Foundation
package import Groundwork

/// A helper program that answers each line of JSON, or each word, with one line of JSON.
///
/// It is started with `posix_spawn`, because on Linux `Process` occasionally reads beyond its memory while hundreds of
/// tests run concurrently. The program's input and output are one socket, which no other program inherits: when the
/// test process ends, the input ends.
package final class LineProcess: Sendable {
    private struct State {
        var socket: Int32
        /// The bytes after the last whole line.
        var rest: [UInt8] = []
    }

    /// Guarded by the lock, which is held from a line to its response, so that responses aren't mixed up.
    private let state: Locked<State>
    private let pid: pid_t

    /// - Throws: ``Failure`` if the program doesn't exist.
    package init(_ arguments: [String]) throws {
        let (socket, pid) = try Self.start(arguments)
        state = Locked(State(socket: socket))
        self.pid = pid
    }

    deinit {
        state.withLock { if $0.socket >= 0 { close($0.socket) } }
    }

    /// Sends a line and returns its response. Without a line, returns the next response.
    ///
    /// - Throws: ``Failure`` if the program reports an error or has ended.
    @discardableResult
    package func answer(to line: [UInt8]? = nil) async throws -> JSON {
        let answer = Locked<[UInt8]?>(nil)
        await onNewThread { [self] in
            let bytes = state.withLock { state -> [UInt8]? in
                if let line, !Self.write(line + [UInt8(ascii: "\n")], to: state.socket) { return nil }
                return Self.readLine(&state)
            }
            answer.withLock { $0 = bytes }
        }
        guard let bytes = answer.withLock({ $0 }) else { throw Failure("the program has ended") }
        let json = try JSON(parsing: bytes)
        guard json["ok"]?.boolValue == true else { throw Failure(json["error"]?.stringValue ?? "\(json)") }
        return json
    }

    /// Closes the program's input, and waits until it exits.
    package func end() async {
        await onNewThread { [self] in
            let wasOpen = state.withLock { state in
                guard state.socket >= 0 else { return false }
                close(state.socket)
                state.socket = -1
                return true
            }
            guard wasOpen else { return }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        }
    }

    #if os(Linux)
        private static func start(_ arguments: [String]) throws -> (Int32, pid_t) {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw Failure("no socket: \(errno)")
            }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for stream: Int32 in [0, 1] { posix_spawn_file_actions_adddup2(&actions, ends[1], stream) }
            // The sockets of other tests: with a copy in the program, closing one would end no connection.
            for file in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap({ Int32($0) })
            where file > 2 {
                posix_spawn_file_actions_addclose(&actions, file)
            }
            var pointers = arguments.map { strdup($0) } + [nil]
            defer { for pointer in pointers { free(pointer) } }
            var child: pid_t = 0
            let code = posix_spawnp(&child, arguments[0], &actions, nil, &pointers, environ)
            close(ends[1])
            guard code == 0 else {
                close(ends[0])
                throw Failure("\(arguments[0]) doesn't start: \(code)")
            }
            return (ends[0], child)
        }

        /// Writing sends no signal if the program has ended.
        private static let sending = Int32(MSG_NOSIGNAL)
    #else
        private static func start(_ arguments: [String]) throws -> (Int32, pid_t) {
            throw Failure("\(arguments[0]) is for Debian")
        }

        private static let sending: Int32 = 0
    #endif

    private static func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = send(
                    socket,
                    buffer.baseAddress! + written,
                    buffer.count - written,
                    sending
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private static func readLine(_ state: inout State) -> [UInt8]? {
        var line = state.rest
        var seen = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = line[seen...].firstIndex(of: UInt8(ascii: "\n")) {
                state.rest = Array(line[(end + 1)...])
                return Array(line[..<end])
            }
            seen = line.count
            let count = recv(state.socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            line += buffer[..<count]
        }
    }
}

/// An error of a helper program.
package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
