import Foundation
import Groundwork
import ServiceLifecycle

#if canImport(Glibc)
    import Glibc
#endif

/// Gives memory back to the system that is free inside the process, such as that of large answers that were sent and of
/// streams that have ended.
///
/// Needed with glibc alone, whose `free` keeps what lies between pieces that are in use.
struct MemoryKeeper: Service {
    /// How often it is looked whether there is something to give back.
    private static let interval = Duration.seconds(5)
    /// How much the process has to have grown since the last time, in bytes.
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

    /// Has the process keep little of what it frees. Call it once, before other threads run.
    static func setUpProcess() {
        guard let mallopt = function("mallopt", as: (@convention(c) (CInt, CInt) -> CInt).self) else { return }
        // From glibc's malloc.h. Large pieces have pages of their own, which go back with them; without this the bound
        // grows with the first of them that is freed.
        let (mmapThreshold, arenaMax): (CInt, CInt) = (-3, -8)
        _ = mallopt(mmapThreshold, 512 * 1_024)
        // Each arena keeps what its threads freed.
        _ = mallopt(arenaMax, 4)
    }

    /// `malloc_trim`; nil where the system's C library has none.
    private static let trim = function("malloc_trim", as: (@convention(c) (Int) -> CInt).self)

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        #if canImport(Glibc)
            dlsym(nil, name).map { unsafeBitCast($0, to: type) }
        #else
            nil
        #endif
    }

    /// How much memory the process has, in bytes.
    static var residentSize: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) }
    }
}
