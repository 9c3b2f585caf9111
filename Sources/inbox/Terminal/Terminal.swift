import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal behind standard output and standard error.
enum Terminal {
    struct Size: Hashable, Sendable {
        var columns: Int
        var rows: Int
    }

    /// Whether standard output is a terminal, rather than a file or another program.
    static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" }
    /// Whether standard error is a terminal.
    static var showsNotes: Bool { isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" }

    /// The terminal's size. If the output isn't a terminal, the variable `COLUMNS`, or otherwise 120 columns.
    static var size: Size {
        var window = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 {
            return Size(columns: Int(window.ws_col), rows: max(1, Int(window.ws_row)))
        }
        return Size(columns: environment["COLUMNS"].flatMap { Int($0) }.map { max(20, $0) } ?? 120, rows: 40)
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
