import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A secret that is entered at a terminal.
enum SecretPrompt {
    private static let interrupt: UInt8 = 3

    /// Prompts at a terminal without echoing the input. Otherwise reads standard input to its end.
    ///
    /// - Throws: `CancellationError` for Ctrl-C, `CocoaError` if the input can't be read.
    static func read(_ prompt: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
            return String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
        }
        Output.status("\(prompt): ")
        defer { Output.status("\n") }
        var shown = termios()
        let isKnown = tcgetattr(STDIN_FILENO, &shown) == 0
        var hidden = shown
        // Ctrl-C ends the line instead of the process, which would leave the terminal without echo.
        hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
        withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VEOL)] = interrupt }
        if isKnown { tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) }
        defer { if isKnown { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) } }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Foundation.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            if byte == interrupt { throw CancellationError() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
