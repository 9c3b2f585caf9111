import Foundation
import Groundwork

/// A program of the system, such as `openssl`, run to its end.
enum ForeignProgram {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Where a program of that name is on the path; nil where there is none.
    static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
        }
    }

    /// Runs it in a folder.
    ///
    /// - Returns: What it wrote to standard output.
    /// - Throws: ``Failed`` with what it wrote to standard error, where it ends with anything but 0.
    @discardableResult
    static func run(_ program: URL, _ arguments: [String], in folder: URL) async throws -> String {
        let result = Locked<Result<String, any Error>>(.failure(CancellationError()))
        await onItsOwnThread {
            let ended = Result { try runToEnd(program, arguments, in: folder) }
            result.withLock { $0 = ended }
        }
        return try result.withLock { $0 }.get()
    }

    private static func runToEnd(_ program: URL, _ arguments: [String], in folder: URL) throws -> String {
        // Through files: what is written to two pipes would have to be read from both at once.
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
