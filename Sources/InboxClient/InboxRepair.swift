public import Foundation
package import Replica

/// What was done about a damaged file: it was moved aside, and a new one takes its place, which the next sync fills
/// from the server.
///
/// Changes of the person's that the server didn't have yet are carried over, as far as they could be read.
public struct InboxRepair: Hashable, Sendable {
    /// What is wrong with the file, in SQLite's words.
    public let reason: String
    /// Where the damaged file is now, for whoever wants to look into it. The next damaged one takes its place, and
    /// signing out deletes it.
    public let damagedFile: URL
    /// How many messages have changes of the person's that were carried over, and will be sent.
    public let carriedOver: Int
    /// Whether all such changes, events that wait, and what the person said about being tracked could be read. If not,
    /// some may be lost: then nothing is tracked in a category until its consent is set again.
    public let isComplete: Bool

    package init(_ repair: StoreRepair) {
        reason = repair.reason
        damagedFile = repair.damagedFile
        carriedOver = repair.carriedOver
        isComplete = repair.isComplete
    }

    /// Makes one, for previews and tests.
    public init(reason: String, damagedFile: URL, carriedOver: Int, isComplete: Bool) {
        (self.reason, self.damagedFile) = (reason, damagedFile)
        (self.carriedOver, self.isComplete) = (carriedOver, isComplete)
    }
}

/// An English text for the person.
extension InboxRepair: CustomStringConvertible {
    /// Such as `The data on this device was damaged (database disk image is malformed) and is fetched again. …`
    public var description: String {
        let carried =
            switch carriedOver {
            case 0: isComplete ? "Nothing waited to be sent." : "Nothing that waited to be sent could be read."
            case 1: "What you did with 1 message is kept, and will be sent."
            default: "What you did with \(carriedOver) messages is kept, and will be sent."
            }
        let lost =
            isComplete
            ? "Nothing of yours is lost."
            : "Something that you did and that wasn't sent yet may be lost: look whether it is as you left it."
        return """
            The data on this device was damaged (\(reason)) and is fetched from the server again. \(carried) \(lost) \
            The damaged file is \(damagedFile.path).
            """
    }
}
