/// What became of a draft.
public enum DraftOutcome: Hashable, Sendable {
    /// It is there: it is being written, or on its way, as the state says.
    case pending(DraftState)
    /// The server has accepted it for delivery, from this device or another one. `messageID` is the id of the sent
    /// mail.
    case sent(messageID: String)
    /// It was discarded, on this device or another one. It wasn't sent.
    case discarded
}
