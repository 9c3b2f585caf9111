import GRDB
import Groundwork
import Replica

/// The end of a simulated process, thrown by its current operation.
struct Death: Error {}

/// Whether a simulated process is alive, and the planned moment of a write at which it dies or finds the disk full.
///
/// A dead process can't write or send.
final class Life: Sendable {
    enum End: Sendable { case death, fullDisk }

    private struct State: Sendable {
        var isDead = false
        /// The failure that is planned after a number of further moments.
        var plan: (end: End, after: Int)?
        /// The number of commits.
        var commits = 0
        /// The number of times the disk was full.
        var failures = 0

        mutating func diskFull() -> DatabaseError {
            failures += 1
            return DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
        }
    }

    // Guarded by the lock: writes run on their own threads.
    private let state = Locked(State())
    /// The moments of the whole world, if one of them is fatal for a process.
    private let moments: Moments?
    /// The device's disk.
    private let disk: Disk

    init(_ disk: Disk, _ moments: Moments? = nil) { (self.disk, self.moments) = (disk, moments) }

    var isDead: Bool { state.withLock { $0.isDead } }
    var commits: Int { state.withLock { $0.commits } }
    var failures: Int { state.withLock { $0.failures } }

    func kill() { state.withLock { $0.isDead = true } }

    func plan(_ end: End?, after moments: Int = 0) {
        state.withLock { state in state.plan = end.map { ($0, moments) } }
    }

    /// Called before a request and after its answer.
    func passSending() throws {
        try state.withLock { state in
            if state.isDead { throw Death() }
            if moments?.pass() == true {
                state.isDead = true
                throw Death()
            }
        }
    }

    /// Called at each moment of a write.
    func pass(_ moment: WriteMoment) throws {
        try state.withLock { state in
            if state.isDead { throw Death() }
            if moment == .isCommitted { state.commits += 1 }
            if moments?.pass() == true {
                state.isDead = true
                throw Death()
            }
            // Committed data can't fail any more.
            if disk.isFull, moment != .isCommitted { throw state.diskFull() }
            guard let plan = state.plan else { return }
            guard plan.after <= 0 else {
                state.plan = (plan.end, plan.after - 1)
                return
            }
            switch plan.end {
            case .death:
                state.plan = nil
                state.isDead = true
                throw Death()
            // Committed data can't fail any more.
            case .fullDisk where moment != .isCommitted:
                state.plan = nil
                throw state.diskFull()
            case .fullDisk: break
            }
        }
    }
}
