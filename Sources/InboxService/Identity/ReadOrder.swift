/// The order of reads of the same rows that run at once: what a read has found is dropped if one that began later has
/// ended, since that one has seen all that was committed before either began.
struct ReadOrder: Sendable {
    private var begun = 0
    private var latest = 0

    /// Begins a read, and returns its number.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Ends a read.
    ///
    /// - Returns: Whether what it has found is the latest.
    mutating func end(_ number: Int) -> Bool {
        guard number > latest else { return false }
        latest = number
        return true
    }
}
