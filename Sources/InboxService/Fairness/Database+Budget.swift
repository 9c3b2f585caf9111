import GRDB
import GRDBSQLite

extension Database {
    /// Reads for no longer than a budget lets it: SQLite asks between two steps of a statement whether it may go on.
    ///
    /// - Parameter whenSlow: Called once where it takes longer than an honest read does, from the thread that reads.
    /// - Throws: ``BudgetError`` where the budget ended; what `body` throws.
    func within<Value>(
        _ budget: RequestBudget,
        whenSlow: @escaping @Sendable () -> Void,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        let start = ContinuousClock.now
        let watch = ReadingWatch(budget, from: start, until: try budget.begin(at: start), whenSlow: whenSlow)
        sqlite3_progress_handler(
            sqliteConnection,
            ReadingWatch.steps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<ReadingWatch>.fromOpaque(context).takeUnretainedValue().look() ? 0 : 1
            },
            Unmanaged.passUnretained(watch).toOpaque()
        )
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            budget.end(ContinuousClock.now - start)
        }
        do {
            return try withExtendedLifetime(watch) { try body(self) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw watch.reason.map { BudgetError($0) } ?? error
        }
    }
}

/// Watches one read. It is touched by the thread that reads alone, between two steps of its statements.
private final class ReadingWatch {
    /// After how many steps of SQLite's virtual machine it looks: some tens of microseconds.
    static let steps: CInt = 4_000
    /// How long an honest read takes at most, mostly.
    private static let usual = Duration.milliseconds(50)

    private let budget: RequestBudget
    private let slow, deadline: ContinuousClock.Instant
    private var whenSlow: (@Sendable () -> Void)?
    /// Why it ended; nil while it goes on.
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
        slow = start + Self.usual
    }

    /// Whether it may go on.
    func look() -> Bool {
        let now = ContinuousClock.now
        if now >= slow, let action = whenSlow {
            whenSlow = nil
            action()
        }
        reason = budget.reasonToEnd(deadline: deadline, now: now)
        return reason == nil
    }
}
