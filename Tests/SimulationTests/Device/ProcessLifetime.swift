import GRDB
import Groundwork
import Replica

/// The end of a simulated process, thrown by its current operation.
struct ProcessKilled: Error {}

/// Whether a simulated process is alive, and the planned moment of a write at which it dies or finds the disk full.
///
/// A dead process can't write or send.
final class ProcessLifetime: Sendable {
    enum Fault: Sendable { case kill, fullDisk }

    private struct State: Sendable {
        var isKilled = false
        /// The failure that is planned after a number of further moments.
        var plan: (fault: Fault, after: Int)?
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
    private let killPoints: KillPoints?
    /// The device's disk.
    private let disk: Disk

    init(_ disk: Disk, _ killPoints: KillPoints? = nil) { (self.disk, self.killPoints) = (disk, killPoints) }

    var isKilled: Bool { state.withLock { $0.isKilled } }
    var commits: Int { state.withLock { $0.commits } }
    var failures: Int { state.withLock { $0.failures } }

    func kill() { state.withLock { $0.isKilled = true } }

    func plan(_ fault: Fault?, after moments: Int = 0) {
        state.withLock { state in state.plan = fault.map { ($0, moments) } }
    }

    /// Called before a request and after its answer.
    func checkAlive() throws {
        try state.withLock { state in
            if state.isKilled { throw ProcessKilled() }
            if killPoints?.advance() == true {
                state.isKilled = true
                throw ProcessKilled()
            }
        }
    }

    /// Called at each moment of a write.
    func check(_ moment: WriteMoment) throws {
        try state.withLock { state in
            if state.isKilled { throw ProcessKilled() }
            if moment == .isCommitted { state.commits += 1 }
            if killPoints?.advance() == true {
                state.isKilled = true
                throw ProcessKilled()
            }
            // Committed data can't fail any more.
            if disk.isFull, moment != .isCommitted { throw state.diskFull() }
            guard let plan = state.plan else { return }
            guard plan.after <= 0 else {
                state.plan = (plan.fault, plan.after - 1)
                return
            }
            switch plan.fault {
            case .kill:
                state.plan = nil
                state.isKilled = true
                throw ProcessKilled()
            // Committed data can't fail any more.
            case .fullDisk where moment != .isCommitted:
                state.plan = nil
                throw state.diskFull()
            case .fullDisk: break
            }
        }
    }
}
