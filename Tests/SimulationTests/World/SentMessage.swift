import Foundation

/// A message as the sender knows it, and where it has to be in its life.
struct SentMessage {
    enum Stage { case waiting, shown, gone }

    let id: String
    let isBroadcast: Bool
    /// Whether it is in the inbox of the person whose devices these are.
    let isForPerson: Bool
    var title: String
    var surface: String
    var deliverAt: Date
    var expiresAt: Date?
    var stage: Stage
    var isRecalled = false
    /// The person deleted it; destroyed at that time.
    var purgeAt: Date?
    /// Destroyed for the person, a month after its deletion.
    var isPurged = false

    /// Whether the person's inbox has it.
    var isVisible: Bool { isForPerson && stage == .shown && !isPurged }

    /// What the server's due-queue does to it when it runs at a time.
    mutating func pass(_ now: Date) {
        if stage == .waiting, deliverAt <= now { stage = .shown }
        if stage == .shown, let purgeAt, purgeAt <= now, purgeAt < expiresAt ?? .distantFuture {
            isPurged = true
            self.purgeAt = nil
        }
        if stage == .shown, let expiresAt, expiresAt <= now { stage = .gone }
    }
}
