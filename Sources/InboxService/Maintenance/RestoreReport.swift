/// The result of a restore: the erasures and revocations that it carried over from the replaced database.
public struct RestoreReport: Hashable, Sendable {
    /// The relation of the replaced database to the backup.
    public enum Relation: Hashable, Sendable {
        /// There was no database.
        case none
        /// A later state of the same server. Its erasures and revocations since the backup were carried over.
        case sameServer
        /// Another server's database. Nothing was carried over.
        case otherServer
        /// The database couldn't be read, for this reason. Erasures and revocations since the backup may be missing.
        case unreadable(String)
    }

    /// The relation of the replaced database to the backup.
    public var relation = Relation.none
    /// The number of later erasures. Tokens from before them don't work.
    public var erasures = 0
    /// The number of people in the backup that they erased.
    public var erasedPeople = 0
    /// The number of API keys in the backup that were revoked later.
    public var revokedKeys = 0
    /// The number of people all of whose tokens were revoked later.
    public var endedSessions = 0
    /// The number of single tokens that were signed out later.
    public var endedTokens = 0
    /// Whether the server signs people's tokens with a later key than the backup's.
    public var hasLaterSigningKey = false
}
