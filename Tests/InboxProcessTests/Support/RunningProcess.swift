import Foundation
import Groundwork

/// A process of the built `inbox`, or of another program of this package, with its output so far.
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

    /// Guarded by the lock: the pipes' readers and the termination handler write, tests read.
    private let state = Locked(State())
    private let program: String
    private let arguments: [String]
    /// The pipe for typed lines; nil if the whole input was given at the start.
    private let typing: FileHandle?
    let pid: Int32

    /// - Parameters:
    ///   - file: The file for standard output; nil to keep it in ``output``.
    ///   - errorFile: The file for standard error; nil to keep it in ``errors``.
    ///   - input: The whole input; nil for none.
    ///   - terminal: The terminal that is used as standard input instead.
    ///   - isTyped: Whether the input stays open for ``enter(_:)``.
    init(
        _ program: String,
        _ arguments: [String],
        in directory: URL,
        environment: [String: String],
        output file: FileHandle? = nil,
        errors errorFile: FileHandle? = nil,
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
        if let errorFile { process.standardError = errorFile } else { process.standardError = errors }
        let state = state
        if file != nil { try output.fileHandleForWriting.close() }
        if errorFile != nil { try errors.fileHandleForWriting.close() }
        Self.readOutput(of: output, state) { $0.output.append(contentsOf: $1) }
        Self.readOutput(of: errors, state) { $0.errors.append(contentsOf: $1) }
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

    /// The complete lines of standard output so far.
    var lines: [String] {
        let output = state.withLock { $0.output }
        guard let end = output.lastIndex(of: Self.newline) else { return [] }
        return output[..<end].split(separator: Self.newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The last complete line of standard output so far, as bytes. Nothing else is read: of a program that prints its
    /// state again and again, all of it would be.
    var lastLine: [UInt8]? {
        state.withLock { state in
            state.output.withUnsafeBytes { output in
                guard let end = newline(before: output.count, in: output) else { return nil }
                let start = newline(before: end, in: output).map { $0 + 1 } ?? 0
                return Array(output[start..<end])
            }
        }
    }

    /// Returns the place of the last newline before a place.
    private func newline(before end: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        var place = end - 1
        while place >= 0, start.load(fromByteOffset: place, as: UInt8.self) != Self.newline { place -= 1 }
        return place >= 0 ? place : nil
    }

    private static let newline = UInt8(ascii: "\n")

    var hasEnded: Bool { state.withLock { $0.status != nil && $0.openPipes == 0 } }

    /// Waits for the end of the process and its output, and returns its exit code, or the negative number of a signal.
    func end(within seconds: Double = 240) async throws -> Int32 {
        try await until("it ends", within: seconds) { $0.hasEnded ? $0.state.withLock { $0.status } : nil }
    }

    /// Waits until `value` returns a value.
    ///
    /// - Throws: ``Ended`` with the process's output, if the value isn't there in time.
    @discardableResult
    func until<T>(_ what: String, within seconds: Double = 240, _ value: (RunningProcess) throws -> T?) async throws
        -> T
    {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let hadEnded = hasEnded
            if let found = try value(self) { return found }
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
        // After the end, the process id can be another process's.
        if state.withLock({ $0.status == nil }) { kill(pid, number) }
    }

    private static func readOutput(
        of pipe: Pipe,
        _ state: Locked<State>,
        _ add: @escaping @Sendable (inout State, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            // `FileHandle` ends the program when a signal interrupts its read.
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(handle.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                // Without optimization, bytes of another collection are appended one by one.
                buffer.withUnsafeBufferPointer { buffer in
                    let read = UnsafeBufferPointer(rebasing: buffer[..<count])
                    state.withLock { add(&$0, read) }
                }
            }
            state.withLock { $0.openPipes -= 1 }
        }
    }

    /// A program that was built together with the tests.
    static func tool(_ name: String) throws -> URL {
        final class BundleMarker {}
        var directory = Bundle(for: BundleMarker.self).bundleURL
        for _ in 0..<3 {
            let tool = directory.appendingPathComponent(name, isDirectory: false)
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: tool.path, isDirectory: &isDirectory), !isDirectory.boolValue {
                return tool
            }
            directory.deleteLastPathComponent()
        }
        throw Ended(description: "there is no built \(name) beside \(Bundle(for: BundleMarker.self).bundleURL.path)")
    }
}
