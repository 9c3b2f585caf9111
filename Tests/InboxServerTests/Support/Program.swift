import Foundation
import Groundwork

/// A program of the system, run to its end.
enum Program {
    struct Result: Sendable {
        var status: Int32 = -1
        var output = ""
    }

    /// Runs it in a folder; what it writes to either stream is the output.
    @discardableResult
    static func run(_ arguments: [String], in folder: URL) async throws -> Result {
        let result = Locked(Result())
        await onItsOwnThread {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.currentDirectoryURL = folder
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            process.standardInput = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return }
            let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
            process.waitUntilExit()
            result.withLock {
                $0 = Result(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
            }
        }
        return result.withLock { $0 }
    }
}
