import Foundation
import Logging

/// A process of this program that runs another of its commands.
final class Child {
    /// Where it listens.
    let port: Int
    private let process: Process
    // Held open: a child ends when its parent does.
    private let input: Pipe

    /// Starts a command, and waits until it reports its port.
    init(_ arguments: [String]) throws {
        process = Process()
        input = Pipe()
        guard let program = Bundle.main.executableURL else {
            throw BenchmarkError("this program doesn't know its file")
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
            guard !part.isEmpty else { throw BenchmarkError("'\(arguments[0])' ended before it listened") }
            line += part
        }
        guard let port = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw BenchmarkError("'\(arguments[0])' didn't report its port")
        }
        self.port = port
    }

    /// Ends it gracefully, and waits for that.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Ends it at once: a bare stream, which only writes, hears neither of a signal nor of a socket that was closed.
    func destroy() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// How many bytes of its memory are resident.
    var memory: Int {
        get throws { try Self.memory(of: process.processIdentifier) }
    }

    /// How many bytes of a process's memory are resident.
    static func memory(of process: Int32) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw BenchmarkError("no figures of memory") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// What another of this program's commands writes until it ends.
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

    // MARK: - On the other side

    /// Ends this process when the one that started it is gone.
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
