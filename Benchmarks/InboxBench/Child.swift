import Foundation
import Logging

/// A child process that runs another command of this program.
final class Child {
    /// The port on which it listens.
    let port: Int
    private let process: Process
    // Held open, because a child ends when its input is closed, such as when its parent ends.
    private let input: Pipe

    /// Starts a command, and waits until it reports its port.
    init(_ arguments: [String]) throws {
        process = Process()
        input = Pipe()
        guard let program = Bundle.main.executableURL else {
            throw BenchmarkError("the path of this program is unknown")
        }
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw BenchmarkError("'\(arguments[0])' exited before it listened") }
            line += part
        }
        guard let port = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw BenchmarkError("'\(arguments[0])' didn't report its port")
        }
        self.port = port
    }

    /// Stops the process gracefully, and waits until it has ended.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Kills the process. A bare stream only writes, so it notices neither a signal nor a closed socket.
    func destroy() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The resident memory of the process, in bytes.
    var memory: Int {
        get throws { try Self.memory(of: process.processIdentifier) }
    }

    /// Returns the resident memory of a process, in bytes.
    static func memory(of process: Int32) throws -> Int { try memoryParts(of: process).all }

    /// Returns the resident memory of a process and what of it is mapped from files, such as code, in bytes.
    static func memoryParts(of process: Int32) throws -> (all: Int, mapped: Int) {
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        guard fields.count > 2, let pages = Int(fields[1]), let mapped = Int(fields[2]) else {
            throw BenchmarkError("the memory of a process can't be read")
        }
        let size = Int(sysconf(Int32(_SC_PAGESIZE)))
        return (pages * size, mapped * size)
    }

    /// Runs another command of this program to its end, and returns its output.
    static func output(of arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: - In the child process

    /// Ends this process when its parent has ended.
    static func stopWithParent() {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            Foundation.kill(getpid(), SIGTERM)
        }
    }

    static func report(port: Int) {
        FileHandle.standardOutput.write(Data("\(port)\n".utf8))
    }

    static func logger() -> Logger {
        var logger = Logger(label: "inbox-bench")
        logger.logLevel = .warning
        return logger
    }
}
