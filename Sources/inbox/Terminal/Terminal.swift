import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What standard output and standard error lead to.
enum Terminal {
    struct Size: Hashable, Sendable {
        var columns: Int
        var rows: Int
    }

    /// Whether someone sees the result, rather than a file or another program reading it.
    static var showsOutput: Bool { isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" }
    /// Whether someone sees what goes to standard error.
    static var showsNotes: Bool { isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" }

    /// The terminal's size; the variable `COLUMNS`, or 120 columns, where the output isn't one.
    static var size: Size {
        var window = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 {
            return Size(columns: Int(window.ws_col), rows: max(1, Int(window.ws_row)))
        }
        return Size(columns: environment["COLUMNS"].flatMap { Int($0) }.map { max(20, $0) } ?? 120, rows: 40)
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
