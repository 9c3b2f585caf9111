#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many files this process may have open: each connection is one.
enum OpenFiles {
    /// Asks for as many as the system allows. Many start a process with 1,024, for programs of old.
    static func allowAll() {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        #if canImport(Darwin)
            // More than this is refused there.
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        // Where it is refused, the old limit holds, and the server keeps to that.
        _ = setrlimit(files, &limit)
    }
}
