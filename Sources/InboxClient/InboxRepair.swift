public import Foundation
import Replica

/// What was done about a damaged file: it was moved aside, and a new one takes its place, which the next sync fills from the server.
///
/// Changes of the person's that the server didn't have yet are carried over, as far as they could be read.
public struct InboxRepair: Hashable, Sendable {
    /// What is wrong with the file, in SQLite's words.
    public let reason: String
    /// Where the damaged file is now, for whoever wants to look into it. The next damaged one takes its place, and signing out
    /// deletes it.
    public let damagedFile: URL
    /// How many messages have changes of the person's that were carried over, and will be sent.
    public let carriedOver: Int
    /// Whether all such changes, events that wait, and what the person said about being tracked could be read. If not, some may be lost:
    /// then nothing is tracked in a category until its consent is set again.
    public let isComplete: Bool

    init(_ repair: StoreRepair) {
        reason = repair.reason
        damagedFile = repair.damagedFile
        carriedOver = repair.carriedOver
        isComplete = repair.isComplete
    }
}
