import InboxService

/// The signals to the services that wait for work.
struct WorkSignals: Sendable {
    let dueTimer = DueTimer()
    let outboxChanged = WakeUp()

    /// Signals the work that a commit has left, of this server or of another one.
    func announce(_ effects: WriteEffects) {
        if let due = effects.due { dueTimer.schedule(at: due) }
        if effects.deliveries { outboxChanged.signal() }
    }
}
