import Foundation

/// A program that is installed from a Debian package.
enum InstalledProgram {
    /// Runs the program to its end.
    ///
    /// - Throws: ``BenchmarkError`` with its output if it fails.
    static func run(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/\(name)")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(name) failed: \(String(decoding: text.suffix(1_000), as: UTF8.self))")
        }
    }
}
