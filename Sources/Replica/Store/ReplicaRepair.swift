public import Foundation

/// The repair of a damaged file: it was moved aside and replaced by a new file, which the next sync fills from the
/// server.
///
/// The person's pending writes are carried over, as far as they could be read.
public struct ReplicaRepair: Hashable, Sendable {
    /// The damage, as described by SQLite.
    public let reason: String
    /// The current location of the damaged file, for diagnosis. The next damaged file replaces it, and signing out
    /// deletes it.
    public let damagedFile: URL
    /// The number of records with pending writes that were carried over and will be sent.
    public let carriedOver: Int
    /// Whether all pending writes, queued records and settings could be read. If not, some may be lost. Then no events
    /// are tracked in a category until its consent is set again.
    public let isComplete: Bool

    /// Creates a repair, for previews and tests.
    public init(reason: String, damagedFile: URL, carriedOver: Int, isComplete: Bool) {
        (self.reason, self.damagedFile) = (reason, damagedFile)
        (self.carriedOver, self.isComplete) = (carriedOver, isComplete)
    }
}

/// An English text for the person.
extension ReplicaRepair: CustomStringConvertible {
    /// The text, such as `The data on this device was damaged (database disk image is malformed) and is fetched from
    /// the server again. …`
    public var description: String {
        let carried =
            switch carriedOver {
            case 0: isComplete ? "There were no unsent changes." : "No unsent changes could be read."
            case 1: "Your changes to 1 item were kept and will be sent."
            default: "Your changes to \(carriedOver) items were kept and will be sent."
            }
        let lost =
            isComplete
            ? "No changes are lost."
            : "Some unsent changes may be lost. Check whether everything is as you left it."
        return """
            The data on this device was damaged (\(reason)) and is fetched from the server again. \(carried) \(lost) \
            The damaged file is \(damagedFile.path).
            """
    }
}
