import Foundation
import Groundwork

/// A program of the system, such as `openssl`, that runs to its end.
enum ExternalProgram {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the program with a name on the path; nil if there is none.
    static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
        }
    }

    /// Runs a program in a folder.
    ///
    /// - Returns: Its standard output.
    /// - Throws: ``Failed`` with its standard error, if its exit code isn't 0.
    @discardableResult
    static func run(_ program: URL, _ arguments: [String], in folder: URL) async throws -> String {
        let result = Locked<Result<String, any Error>>(.failure(CancellationError()))
        await onNewThread {
            let ended = Result { try runBlocking(program, arguments, in: folder) }
            result.withLock { $0 = ended }
        }
        return try result.withLock { $0 }.get()
    }

    private static func runBlocking(_ program: URL, _ arguments: [String], in folder: URL) throws -> String {
        // Through files, because two pipes would have to be read at the same time.
        let files = ["out", "err"].map { folder.appending(path: "\(UUID().uuidString).\($0)") }
        for file in files {
            _ = FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil)
        }
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        guard process.terminationStatus == 0 else {
            throw Failed(description: "\(program.path) ended with \(process.terminationStatus): \(texts[1])")
        }
        return texts[0]
    }
}
