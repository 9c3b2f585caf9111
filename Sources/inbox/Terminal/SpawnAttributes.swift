#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if canImport(Darwin)
    typealias SpawnAttributes = posix_spawnattr_t?
#else
    typealias SpawnAttributes = posix_spawnattr_t
#endif

/// Calls a closure with the attributes of a process to be started, in which no signal is blocked: it would inherit
/// those of this thread, and the threads of Dispatch block nearly all.
///
/// - Parameter defaults: The signals that have their default action in the process, also if they are ignored here.
func withSpawnAttributes<T>(defaults: [Int32] = [], _ body: (inout SpawnAttributes) throws -> T) rethrows -> T {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in defaults { sigaddset(&signals, signal) }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    var attributes: SpawnAttributes
    #if canImport(Darwin)
        attributes = nil
    #else
        attributes = SpawnAttributes()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    return try body(&attributes)
}
