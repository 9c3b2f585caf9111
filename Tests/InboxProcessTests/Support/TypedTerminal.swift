import Foundation
import Groundwork
import Testing

/// A terminal for a program, at which a test types and sees what is shown.
final class TypedTerminal: Sendable {
    /// The program's end of the terminal.
    let input: FileHandle
    private let keyboard: FileHandle
    /// Guarded by the lock: a queue of the system's writes, tests read.
    private let shown = Locked([UInt8]())

    /// - Parameter size: The number of columns and of rows.
    init(size: (columns: UInt16, rows: UInt16) = (100, 30)) throws {
        var (keyboard, input): (Int32, Int32) = (0, 0)
        var window = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&keyboard, &input, nil, nil, &window) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.keyboard = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
        self.input = FileHandle(fileDescriptor: input, closeOnDealloc: true)
    }

    /// Keeps what the program writes to the terminal, for ``screen``.
    func show() {
        keyboard.readabilityHandler = { [shown] file in
            let data = file.availableData
            if data.isEmpty { file.readabilityHandler = nil } else { shown.withLock { $0 += data } }
        }
    }

    /// Everything that the program wrote.
    var text: String { shown.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The lines of the newest frame that is complete, without colors: one begins at the upper left corner.
    var screen: [String] {
        let frames = text.components(separatedBy: "\u{1B}[H").dropFirst()
        guard let frame = frames.last(where: { $0.hasSuffix("\u{1B}[0m") || $0.contains("\r\n") }) else { return [] }
        return frame.replacing(/\u{1B}\[[?0-9;]*[A-Za-z]/, with: "").components(separatedBy: "\r\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Types keys.
    func type(_ keys: String) throws { try keyboard.write(contentsOf: Data(keys.utf8)) }

    /// Whether typed text is echoed.
    var isEchoing: Bool {
        var settings = termios()
        return tcgetattr(input.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}

/// A person at a terminal, who types keys and waits for what the screen shows.
struct Typist {
    let terminal: TypedTerminal
    let process: RunningProcess

    func types(_ keys: String, until what: String, _ condition: ([String]) -> Bool) async throws {
        try terminal.type(keys)
        try await sees(what, condition)
    }

    func sees(_ what: String, _ condition: ([String]) -> Bool) async throws {
        do {
            try await process.until(what) { _ in condition(terminal.screen) ? true : nil }
        } catch {
            Issue.record("\(what):\n\(terminal.screen.joined(separator: "\n"))")
            throw error
        }
    }
}
