#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limit on open files of this process. Each connection is an open file.
enum OpenFiles {
    /// Raises the limit to the system's maximum. Many systems start a process with a limit of 1,024, for compatibility
    /// with old programs.
    static func raiseLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        #if canImport(Darwin)
            // Darwin rejects a higher limit.
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        // If this fails, the previous limit stays in effect, and the server respects it.
        _ = setrlimit(files, &limit)
    }
}
