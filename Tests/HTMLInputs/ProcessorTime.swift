#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The processor time of a thread, which doesn't count the time that other threads and processes use.
package enum ProcessorTime {
    /// The seconds of this thread so far.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The seconds that a function takes.
    package static func measure(_ body: () -> Void) -> Double {
        let start = now
        body()
        return now - start
    }
}
