#if PostgreSQL
    /// The other servers' groups of commits that this server knows of, without a connection of its own.
    ///
    /// Each server counts the groups that it commits, and its row in the table `node` has the number of the latest one.
    /// A notification comes shortly after the commit. If the server is killed between the two, none comes: then the
    /// number in the row shows it.
    struct GroupTracker: Sendable {
        // The number of the latest group, by server: that was announced, and that was in the row when it was last read.
        private var announced: [Int: Int]
        private var rows: [Int: Int] = [:]
        // What was announced when the rows were last compared.
        private var compared: [Int: Int] = [:]

        /// - Parameter groups: The numbers of the groups that are about to be read from the database, by server.
        init(_ groups: [Int: Int] = [:]) {
            announced = groups
        }

        /// Records the groups that a server has announced.
        ///
        /// - Returns: Whether nothing is missing before it. Groups that were known before may be announced again
        ///   after a start, and do no harm.
        mutating func record(announced groups: ClosedRange<Int>, of node: Int) -> Bool {
            let known = announced[node] ?? 0
            announced[node] = max(known, groups.upperBound)
            // At least 1, so that this doesn't overflow.
            return groups.lowerBound - 1 <= known
        }

        /// Records that all commits before the given groups were read, and perhaps those that were announced meanwhile.
        mutating func restart(with groups: [Int: Int]) {
            announced.merge(groups) { max($0, $1) }
            rows = [:]
        }

        /// Compares with the numbers in the rows.
        ///
        /// - Returns: Whether nothing is missing. A group is missed if it was in the row already when the rows were
        ///   last read: its announcement may still be on its way at first. Where a row is missing that was there, or
        ///   its number has fallen, the row may have had groups that no read has shown, and its numbers begin again.
        ///
        ///   The same holds where a number was announced before this read began that the row doesn't have: a server
        ///   announces what is committed, but every user of the database can send notifications. Without that, a
        ///   forged number would hide each later group that isn't announced.
        mutating func check(_ groups: [Int: Int]) -> Bool {
            defer { (rows, compared) = (groups, announced) }
            let fallen = rows.filter { node, number in groups[node].map { $0 < number } ?? true }
            let invented = compared.filter { node, number in number > groups[node] ?? 0 }
            let wrong = Set(fallen.keys).union(invented.keys)
            for node in wrong { announced[node] = groups[node] }
            return wrong.isEmpty && rows.allSatisfy { node, number in number <= announced[node] ?? 0 }
        }

        /// Whether the rows have groups that weren't received, announced or not.
        func isBehind(_ groups: [Int: Int]) -> Bool {
            groups.contains { node, number in number > announced[node] ?? 0 }
        }
    }
#endif
