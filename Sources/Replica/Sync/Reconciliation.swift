import Foundation

/// The verification of a type's records after its state changed although no record had changed.
///
/// A state machine without I/O. A server that was reinstalled, or restored from a backup, may recognize an earlier
/// state as one of its own. It then reports no changes and a different state, while the records on the device are of
/// another time.
struct Reconciliation: Hashable, Sendable {
    /// The minimum time between two verifications of slices, in seconds.
    static let sliceInterval = 3_600.0

    /// Whether the state changed in this round although no record had.
    private(set) var isRequested = false
    /// The last difference between the records on the device and the server's count.
    private var lastDifference: String?
    /// Whether the slices on the device have to be fetched again.
    private var hasUnverifiedSlices = false
    private var slicesVerifiedAt = Date.distantPast

    /// Records that the state changed although no record had.
    mutating func request() { isRequested = true }

    /// Forgets a request, at the start of a round and after the fetches of a verification, which may change the state
    /// again.
    mutating func cancelRequest() { isRequested = false }

    /// Begins the requested verification.
    ///
    /// - Parameter hasSlices: Whether the device has slices of the type. The server offers no count of their records.
    /// - Returns: Whether a verification was requested.
    mutating func begin(hasSlices: Bool) -> Bool {
        guard isRequested else { return false }
        isRequested = false
        hasUnverifiedSlices = hasUnverifiedSlices || hasSlices
        return true
    }

    /// Records the comparison with the server's counts.
    ///
    /// - Parameter difference: Describes the difference; nil for none, or if pending writes preclude the comparison.
    /// - Returns: Whether the records have to be fetched again. A difference that the last fetch left doesn't cause
    ///   another one in each round, because the server may count differently.
    mutating func compared(_ difference: String?) -> Bool {
        guard let difference, difference != lastDifference else { return false }
        lastDifference = difference
        return true
    }

    /// Returns whether the slices have to be fetched again now.
    func needsSlices(at now: Date) -> Bool {
        hasUnverifiedSlices && now.timeIntervalSince(slicesVerifiedAt) >= Self.sliceInterval
    }

    mutating func slicesFetched(at now: Date) { (hasUnverifiedSlices, slicesVerifiedAt) = (false, now) }
}
