#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The standard input of the tool.
enum StandardInput {
    /// Whether it can be read: it isn't closed.
    static var isReadable: Bool {
        let flags = fcntl(STDIN_FILENO, F_GETFL)
        return flags >= 0 && flags & (O_RDONLY | O_WRONLY | O_RDWR) != O_WRONLY
    }

    /// Occupies the number of a closed standard input, which the next opened file would have otherwise.
    static func prepare() {
        if fcntl(STDIN_FILENO, F_GETFL) < 0 { _ = open("/dev/null", O_WRONLY) }
    }
}
