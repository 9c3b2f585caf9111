/// For tests: called at each moment of a write. An error that it throws ends the write there, as the death of the
/// process or a full disk would.
package typealias WriteHook = @Sendable (WriteMoment) throws -> Void

/// The moments of a write between which a process may die.
package enum WriteMoment: Hashable, Sendable, CaseIterable {
    /// Nothing has been written.
    case begins
    /// All has been written, and nothing committed: what ends the write here undoes it.
    case commits
    /// The write is durable, and no observer is notified yet.
    case isCommitted
}
