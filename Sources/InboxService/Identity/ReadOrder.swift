/// The order of concurrent reads of the same rows. The result of a read is dropped if a read that began later has
/// ended: the later one has seen all commits from before either began.
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
    /// - Returns: Whether the read's result is the latest.
    mutating func end(_ number: Int) -> Bool {
        guard number > latest else { return false }
        latest = number
        return true
    }
}
