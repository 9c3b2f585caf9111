import Foundation
import Groundwork

/// A process of the built `inbox`, or of another program of this package, with what it has written so far.
final class RunningProcess: Sendable {
    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var openPipes = 2
        var status: Int32?
    }

    /// Guarded by its lock: the pipes' readers and the termination handler write, tests read.
    private let state = Locked(State())
    private let program: String
    private let arguments: [String]
    /// Where lines can be typed; nil where the input was given as a whole.
    private let typing: FileHandle?
    let pid: Int32

    /// - Parameters:
    ///   - output: Where standard output goes instead of here.
    ///   - input: All of it; nil for none.
    ///   - terminal: Where the input is typed instead.
    ///   - isTyped: Whether the input stays open for ``enter(_:)``.
    init(
        _ program: String,
        _ arguments: [String],
        in directory: URL,
        environment: [String: String],
        output file: FileHandle? = nil,
        input: String? = nil,
        terminal: TypedTerminal? = nil,
        isTyped: Bool = false
    ) throws {
        self.program = program
        self.arguments = arguments
        let process = Process()
        process.executableURL = try Self.tool(program)
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        if let file { process.standardOutput = file } else { process.standardOutput = output }
        process.standardError = errors
        let state = state
        if file != nil { try output.fileHandleForWriting.close() }
        Self.follow(output, state) { $0.output += $1 }
        Self.follow(errors, state) { $0.errors += $1 }
        process.terminationHandler = { process in
            state.withLock {
                $0.status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            }
        }
        if input != nil || isTyped {
            let pipe = Pipe()
            process.standardInput = pipe
            try process.run()
            typing = isTyped ? pipe.fileHandleForWriting : nil
            try pipe.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
            if !isTyped { try pipe.fileHandleForWriting.close() }
        } else {
            typing = nil
            process.standardInput = terminal?.input ?? FileHandle.nullDevice
            try process.run()
        }
        pid = process.processIdentifier
    }

    /// Types a line, followed by Enter.
    func enter(_ line: String) throws { try typing?.write(contentsOf: Data((line + "\n").utf8)) }

    /// Ends the input.
    func endInput() throws { try typing?.close() }

    var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
    var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

    /// The whole lines of standard output so far.
    var lines: [String] {
        let output = output
        guard let end = output.lastIndex(of: "\n") else { return [] }
        return output[..<end].split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    var hasEnded: Bool { state.withLock { $0.status != nil && $0.openPipes == 0 } }

    /// The exit code, or less than zero a signal's number, once the process has ended and all it wrote has been read.
    func end(within seconds: Double = 90) async throws -> Int32 {
        try await until("it ends", within: seconds) { $0.hasEnded ? $0.state.withLock { $0.status } : nil }
    }

    /// Waits until something of it is so.
    ///
    /// - Throws: ``Ended`` with what the process wrote, when it isn't within so many seconds.
    @discardableResult
    func until<T>(_ what: String, within seconds: Double = 90, _ look: (RunningProcess) throws -> T?) async throws -> T
    {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let hadEnded = hasEnded
            if let found = try look(self) { return found }
            guard ContinuousClock.now < deadline, !hadEnded else {
                throw Ended(
                    description: """
                        waited for: \(what); \(hadEnded ? "but it has ended" : "for \(seconds) s")
                        \(program) \(arguments.joined(separator: " "))
                        \(output.suffix(2_000))
                        \(errors.suffix(2_000))
                        """
                )
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func signal(_ number: Int32) {
        // Not once it has ended: its number may be another process's by then.
        if state.withLock({ $0.status == nil }) { kill(pid, number) }
    }

    private static func follow(
        _ pipe: Pipe,
        _ state: Locked<State>,
        _ add: @escaping @Sendable (inout State, Data) -> Void
    ) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            // `FileHandle` ends the program when a signal interrupts its read.
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(handle.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                state.withLock { add(&$0, Data(buffer[..<count])) }
            }
            state.withLock { $0.openPipes -= 1 }
        }
    }

    /// A program that was built together with the tests.
    private static func tool(_ name: String) throws -> URL {
        final class Here {}
        var directory = Bundle(for: Here.self).bundleURL
        for _ in 0..<3 {
            let tool = directory.appendingPathComponent(name, isDirectory: false)
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: tool.path, isDirectory: &isDirectory), !isDirectory.boolValue {
                return tool
            }
            directory.deleteLastPathComponent()
        }
        throw Ended(description: "there is no built \(name) beside \(Bundle(for: Here.self).bundleURL.path)")
    }
}
