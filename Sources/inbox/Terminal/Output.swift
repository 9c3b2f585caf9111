import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The output of the tool: results on standard output, everything else on standard error.
///
/// Output isn't buffered: a line is written when the call returns, so that a script that reads along receives it at
/// once.
enum Output {
    /// Writes a line of the result.
    static func line(_ text: String = "") {
        raw(text + "\n")
    }

    /// Writes a part of the result, without a line break.
    static func raw(_ text: String) {
        guard !write(text, to: STDOUT_FILENO) else { return }
        // The reader has stopped, as in `inbox list | head -1`.
        guard errno != EPIPE else { Foundation.exit(0) }
        Failure("The output can't be written: \(String(cString: strerror(errno))).").exit()
    }

    /// Writes a line for the person to standard error.
    static func note(_ text: String) {
        _ = write(text + "\n", to: STDERR_FILENO)
    }

    /// Writes text without a line break to standard error, such as a progress bar.
    static func status(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Writes text to a file descriptor.
    ///
    /// - Returns: Whether everything was written.
    private static func write(_ text: String, to file: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    Darwin.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                    Musl.write(file, bytes.baseAddress, bytes.count)
                #else
                    Glibc.write(file, bytes.baseAddress, bytes.count)
                #endif
            }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
