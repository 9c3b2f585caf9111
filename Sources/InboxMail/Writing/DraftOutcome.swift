/// The outcome of a draft: sent, discarded, or still pending.
public enum DraftOutcome: Hashable, Sendable {
    /// The draft is there: it is being written, or on its way, as the state says.
    case pending(DraftState)
    /// The server has accepted it for delivery, from this device or another one. `messageID` is the id of the sent
    /// mail.
    case sent(messageID: String)
    /// The draft was discarded, on this device or another one. It wasn't sent.
    case discarded
}
