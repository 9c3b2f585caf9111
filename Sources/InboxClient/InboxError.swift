public import Replica

/// A failure of an inbox. Its description contains neither message texts nor tokens.
public typealias InboxError = ReplicaError

extension ReplicaError.Code {
    /// The push doesn't name its recipient, and the app doesn't allow that
    /// (``InboxConfiguration/acceptsPushesWithoutPerson``).
    public static let noPerson = ReplicaError.Code("noPerson")
    /// This device has no message with the id.
    public static let unknownMessage = ReplicaError.Code("unknownMessage")
    /// No person is identified, so there is no inbox: see ``CurrentInbox``.
    public static let notIdentified = ReplicaError.Code("notIdentified")
}
