import Foundation
import Groundwork
import ServiceLifecycle

#if canImport(Glibc)
    import Glibc
#endif

/// A service that returns freed memory to the system, such as that of large responses that were sent and of streams
/// that have ended.
///
/// Only glibc requires it: its `free` keeps free memory between blocks that are in use.
struct MemoryTrimmer: Service {
    /// The interval between checks.
    private static let interval = Duration.seconds(5)
    /// The growth of the process, in bytes, after which memory is trimmed again.
    private static let growth = 4 * 1_048_576

    func run() async throws {
        guard let trim = Self.trim else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            var size = 0
            while true {
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
                guard let now = Self.residentSize, now > size + Self.growth || now < size else { continue }
                await onNewThread { _ = trim(0) }
                size = Self.residentSize ?? now
            }
        }
    }

    /// Configures the allocator to keep little of the freed memory. Call this once, before other threads run.
    static func configureAllocator() {
        guard let mallopt = function("mallopt", as: (@convention(c) (CInt, CInt) -> CInt).self) else { return }
        // From glibc's malloc.h. Large blocks get their own pages, which are returned with them. Without this setting,
        // the threshold grows with the first large block that is freed.
        let (mmapThreshold, arenaMax): (CInt, CInt) = (-3, -8)
        _ = mallopt(mmapThreshold, 512 * 1_024)
        // Each arena keeps the memory that its threads freed.
        _ = mallopt(arenaMax, 4)
    }

    /// `malloc_trim`, or nil if the system's C library doesn't have it.
    private static let trim = function("malloc_trim", as: (@convention(c) (Int) -> CInt).self)

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        #if canImport(Glibc)
            dlsym(nil, name).map { unsafeBitCast($0, to: type) }
        #else
            nil
        #endif
    }

    /// The resident memory of the process, in bytes.
    static var residentSize: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) }
    }
}
