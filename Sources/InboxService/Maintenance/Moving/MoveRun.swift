#if PostgreSQL
    /// One run of a move, which begins or continues it.
    ///
    /// Rows are moved in parts, each in one transaction with the progress up to its last row. A run that ends anywhere
    /// leaves a target with some parts, all of them whole, and the next run begins behind the last one.
    struct MoveRun {
        /// The maximum that one transaction moves, apart from its last row.
        struct Part: Sendable {
            var rows = 20_000
            /// The size of a part, in bytes.
            var size = 8 * 1_048_576
        }

        /// A point at which a run may end, for tests.
        enum Step: Hashable {
            /// The rows and the progress of a part are written, and not committed yet.
            case written
            case committed
            /// All rows are moved, and the numbers are set.
            case moved
            /// The comparison has found no difference.
            case compared
            /// The source is marked as moved, and the target isn't a server's yet.
            case noted
        }

        let source: any MoveDatabase
        let target: any MoveTarget
        var part = Part()
        var reached: (Step) throws -> Void = { _ in }

        /// Moves everything that isn't moved yet, compares all of it, and removes the mark.
        ///
        /// - Throws: ``MaintenanceError`` if the target can't be written, or isn't of this move;
        ///   ``MoveDifferences`` if the comparison finds any. The mark stays then.
        func run(_ progress: @escaping (MoveProgress) -> Void) throws -> MoveReport {
            var counts: [String: Int] = [:]
            for table in MovedTable.all { counts[table.name] = try source.count(table) }
            var report = MoveReport(source: source.name, target: target.name)
            report.isContinued = try begin(source.fingerprint(counts))
            let moved = MovedTable.all.filter(target.stores)
            report.tables = MovedTable.all.filter(\.isOnSQLite).map { ($0.name, counts[$0.name] ?? 0) }
            var bar = MoveProgress(phase: .moving, done: 0, total: moved.reduce(0) { $0 + (counts[$1.name] ?? 0) })
            for table in moved {
                try move(table) { rows in
                    bar.done += rows
                    progress(bar)
                }
            }
            try target.transaction {
                for number in MovedNumber.all { try number.set(number.read(in: source.db), in: target.db) }
            }
            try target.updateStatistics()
            try reached(.moved)
            try compare(total: counts.values.reduce(0, +), progress)
            try target.checkAll()
            try reached(.compared)
            // Before the target is a server's: at no time can servers start on both.
            try source.noteMoved(to: target.name)
            try reached(.noted)
            try target.transaction {
                try UnfinishedMove.remove(from: target.db)
                try target.finish()
            }
            return report
        }

        /// Prepares the target, or verifies that it is of this move. A target has the mark as soon as it has a table:
        /// the run may end at any time.
        ///
        /// - Returns: Whether the move was begun before.
        private func begin(_ fingerprint: String) throws -> Bool {
            func mark() throws {
                try UnfinishedMove.create(in: target.db, fingerprint: fingerprint)
                // Those of the source take their place.
                try target.db.run("DELETE FROM counter")
            }
            if let other = try UnfinishedMove.target(in: target.db) {
                throw MaintenanceError(
                    """
                    \(target.name) isn't empty: it was moved to \(other). Give the move a database of its own: CREATE \
                    DATABASE … OWNER ….
                    """
                )
            }
            let isContinued = try UnfinishedMove.exists(in: target.db)
            guard try !isContinued || UnfinishedMove.fingerprint(in: target.db) == fingerprint else {
                throw MaintenanceError(
                    """
                    \(target.name) has an unfinished move of another database, or this source has changed since. \
                    Remove the target, and begin again.
                    """
                )
            }
            try target.prepare(mark)
            // A server has created the tables, and stored nothing.
            if try !UnfinishedMove.exists(in: target.db) { try target.transaction(mark) }
            return isContinued
        }

        /// Moves the rows of a table that aren't moved yet.
        ///
        /// - Parameter advanced: Receives numbers of moved rows, first that of earlier runs.
        private func move(_ table: MovedTable, advanced: (Int) -> Void) throws {
            var progress = try UnfinishedMove.progress(of: table, in: target.db)
            advanced(progress.rows)
            if progress.isDone { return }
            let rows = try source.rows(of: table, after: progress.key)
            var next = try rows.next()
            repeat {
                let before = progress.rows
                try target.transaction {
                    try target.insert(into: table) { append in
                        var size = 0
                        while let row = next, progress.rows - before < part.rows, size < part.size {
                            try target.check(row, of: table)
                            try append(row)
                            size += row.reduce(0) { $0 + $1.size }
                            progress.rows += 1
                            progress.key = Array(row.prefix(table.keyCount))
                            next = try rows.next()
                        }
                    }
                    progress.isDone = next == nil
                    try UnfinishedMove.set(progress, of: table, in: target.db)
                    try reached(.written)
                }
                advanced(progress.rows - before)
                try reached(.committed)
            } while next != nil
        }

        private func compare(total: Int, _ progress: @escaping (MoveProgress) -> Void) throws {
            var comparison = RowComparison()
            var bar = MoveProgress(phase: .comparing, done: 0, total: total)
            progress(bar)
            try target.reading {
                for table in MovedTable.all {
                    try comparison.compare(
                        table,
                        source: source.rows(of: table, after: nil),
                        target: target.rows(of: table, after: nil)
                    ) {
                        bar.done += 1
                        progress(bar)
                    }
                }
                for number in MovedNumber.all {
                    let (one, other) = (try number.read(in: source.db), try number.read(in: target.db))
                    if target.keeps(number), one != other {
                        comparison.add("the greatest number of \(number.table) is \(one), and \(other) in the target")
                    }
                }
            }
            if comparison.count > 0 {
                throw MoveDifferences(count: comparison.count, differences: comparison.differences)
            }
        }
    }
#endif
