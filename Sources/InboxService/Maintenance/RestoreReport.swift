/// What a restore has applied again of what had ended in the database that was there.
public struct RestoreReport: Hashable, Sendable {
    /// What the database was whose place the backup took.
    public enum Former: Hashable, Sendable {
        /// There was none.
        case none
        /// A later state of the restored one: what had ended there since the backup was applied again.
        case later
        /// Another server's: nothing of it was applied.
        case another
        /// It couldn't be read, for the reason given: what had ended there since the backup isn't known.
        case unreadable(String)
    }

    /// What the database was whose place the backup took.
    public var former = Former.none
    /// How many later erasures there were. Tokens from before them don't work.
    public var erasures = 0
    /// How many people of the backup were erased by them.
    public var erasedPeople = 0
    /// How many API keys of the backup had been revoked since.
    public var revokedKeys = 0
    /// For how many people all tokens had been ended since.
    public var endedSessions = 0
    /// How many single tokens had been signed out since.
    public var endedTokens = 0
    /// Whether the server signs people's tokens with a later key than the backup's.
    public var hasLaterSigningKey = false
}
