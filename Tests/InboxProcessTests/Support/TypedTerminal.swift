import Foundation
import Groundwork

/// A terminal for a program's standard input, at which a test types.
final class TypedTerminal: Sendable {
    /// The program's end of the terminal.
    let input: FileHandle
    private let keyboard: FileHandle

    init() throws {
        var (keyboard, input): (Int32, Int32) = (0, 0)
        guard openpty(&keyboard, &input, nil, nil, nil) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.keyboard = FileHandle(fileDescriptor: keyboard, closeOnDealloc: true)
        self.input = FileHandle(fileDescriptor: input, closeOnDealloc: true)
    }

    /// Types keys.
    func type(_ keys: String) throws { try keyboard.write(contentsOf: Data(keys.utf8)) }

    /// Whether typed text is echoed.
    var isEchoing: Bool {
        var settings = termios()
        return tcgetattr(input.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
