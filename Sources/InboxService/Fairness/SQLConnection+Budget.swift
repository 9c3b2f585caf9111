import GRDB
import GRDBSQLite

extension SQLConnection {
    /// Reads within a budget.
    ///
    /// - Parameter whenSlow: Called once if the read takes longer than a legitimate one usually does, on the reading
    ///   thread.
    /// - Throws: ``BudgetError`` if the budget is used up, or the error of `body`.
    func within<Value>(
        _ budget: RequestBudget,
        whenSlow: @escaping @Sendable () -> Void,
        _ body: () throws -> Value
    ) throws -> Value {
        switch self {
        case .sqlite(let db): return try db.within(budget, whenSlow: whenSlow, body)
        #if PostgreSQL
            case .postgres(let transaction): return try transaction.within(budget, whenSlow: whenSlow, body)
        #endif
        }
    }
}

extension Database {
    /// Reads within a budget. SQLite's progress handler checks it between two steps of a statement.
    fileprivate func within<Value>(
        _ budget: RequestBudget,
        whenSlow: @escaping @Sendable () -> Void,
        _ body: () throws -> Value
    ) throws -> Value {
        let start = ContinuousClock.now
        let monitor = ReadMonitor(
            budget,
            from: start,
            until: try budget.deadline(startingAt: start),
            whenSlow: whenSlow
        )
        sqlite3_progress_handler(
            sqliteConnection,
            ReadMonitor.steps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<ReadMonitor>.fromOpaque(context).takeUnretainedValue().shouldContinue() ? 0 : 1
            },
            Unmanaged.passUnretained(monitor).toOpaque()
        )
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            budget.spend(ContinuousClock.now - start)
        }
        do {
            return try withExtendedLifetime(monitor) { try body() }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw monitor.reason.map { BudgetError($0) } ?? error
        }
    }
}

/// The state of one read. Only the reading thread accesses it, between two steps of its statements.
private final class ReadMonitor {
    /// The number of steps of SQLite's virtual machine between two checks, which take some tens of microseconds.
    static let steps: CInt = 4_000

    private let budget: RequestBudget
    private let slow, deadline: ContinuousClock.Instant
    private var whenSlow: (@Sendable () -> Void)?
    /// The reason why the read was stopped. Nil while it continues.
    private(set) var reason: BudgetError.Reason?

    init(
        _ budget: RequestBudget,
        from start: ContinuousClock.Instant,
        until deadline: ContinuousClock.Instant,
        whenSlow: @escaping @Sendable () -> Void
    ) {
        self.budget = budget
        self.deadline = deadline
        self.whenSlow = whenSlow
        slow = start + RequestBudget.slowThreshold
    }

    /// Returns whether the read may continue.
    func shouldContinue() -> Bool {
        let now = ContinuousClock.now
        if now >= slow, let action = whenSlow {
            whenSlow = nil
            action()
        }
        reason = budget.stopReason(deadline: deadline, now: now)
        return reason == nil
    }
}
