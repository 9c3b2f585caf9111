/// A hook for tests, called at each moment of a write. An error that it throws ends the write there, as the end of the
/// process or a full disk would.
package typealias WriteHook = @Sendable (WriteMoment) throws -> Void

/// The moments of a write. A process may end between two of them.
package enum WriteMoment: Hashable, Sendable, CaseIterable {
    /// Nothing has been written.
    case begins
    /// Everything is written and nothing is committed. An error here rolls the write back.
    case commits
    /// The write is durable, and no observer is notified yet.
    case isCommitted
}
