import Foundation
import Groundwork

/// Runs a system program to its end.
///
/// It uses `posix_spawn`: on Linux, `Process` occasionally reads past the end of its memory while hundreds of tests
/// run.
enum Program {
    struct Result: Sendable {
        var status: Int32 = -1
        var output = ""
    }

    struct NotStarted: Error {
        let code: Int32
    }

    /// Returns whether a program of this name is on the path.
    static func isInstalled(_ name: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs the program in a folder. The output combines standard output and standard error.
    @discardableResult
    static func run(_ arguments: [String], in folder: URL) async throws -> Result {
        let result = Locked<Swift.Result<Result, any Error>?>(nil)
        await onNewThread {
            let ended = Swift.Result { try runToEnd(arguments, in: folder) }
            result.withLock { $0 = ended }
        }
        return try result.withLock { $0 }?.get() ?? Result()
    }

    private static func runToEnd(_ arguments: [String], in folder: URL) throws -> Result {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw NotStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for stream: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, ends[1], stream) }

        let words = ["sh", "-c", #"cd "$0" && exec "$@""#, folder.path(percentEncoded: false)] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sh", &actions, nil, &pointers, environ)
        close(ends[1])
        let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        guard code == 0 else { throw NotStarted(code: code) }
        let output = try reading.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // The exit code is in the second byte, a signal in the first.
        return Result(
            status: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F),
            output: String(decoding: output, as: UTF8.self)
        )
    }
}
