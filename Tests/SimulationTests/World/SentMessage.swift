import Foundation

/// A message as the sender knows it, with its expected stage.
struct SentMessage {
    enum Stage { case waiting, shown, gone }

    let id: String
    let isBroadcast: Bool
    /// Whether it is in the inbox of the simulated person.
    let isForPerson: Bool
    var title: String
    var surface: String
    var deliverAt: Date
    var expiresAt: Date?
    var stage: Stage
    var isRecalled = false
    /// The time at which the message is destroyed after the person deleted it.
    var purgeAt: Date?
    /// Whether it was destroyed for the person, a month after its deletion.
    var isPurged = false

    /// Whether it is in the person's inbox on the server.
    var isVisible: Bool { isForPerson && stage == .shown && !isPurged }

    /// Updates the stage to a time, as the server's due queue does.
    mutating func update(to now: Date) {
        if stage == .waiting, deliverAt <= now { stage = .shown }
        if stage == .shown, let purgeAt, purgeAt <= now, purgeAt < expiresAt ?? .distantFuture {
            isPurged = true
            self.purgeAt = nil
        }
        if stage == .shown, let expiresAt, expiresAt <= now { stage = .gone }
    }
}
