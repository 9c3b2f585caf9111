import Foundation
import Groundwork

/// A terminal at which a test types, for a program's standard input.
final class TypedTerminal: Sendable {
    /// What the program has.
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

    /// Types keys, as they are.
    func type(_ keys: String) throws { try keyboard.write(contentsOf: Data(keys.utf8)) }

    /// Whether what is typed shows.
    var shows: Bool {
        var settings = termios()
        return tcgetattr(input.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
