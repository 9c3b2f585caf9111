import JMAP

/// An error with which a ``ScriptedServer`` answers, by its JMAP type.
///
/// Of one change (``ScriptedServer/refuse(_:with:)``) the types are those of RFC 8620 §5.3, such as `forbidden`,
/// `notFound`, `rateLimit`; of a whole call those of §3.6.2, such as `serverUnavailable`, `serverFail`,
/// `unknownMethod`. A client takes back what was refused for good, and sends again later what was refused for now.
public struct ScriptedError: Hashable, Sendable {
    /// The error's type.
    public let type: String
    /// An explanation for people; nil for none.
    public let explanation: String?

    /// Makes an error.
    public init(_ type: String, _ explanation: String? = nil) {
        (self.type, self.explanation) = (type, explanation)
    }

    /// The change isn't allowed, for good.
    public static let forbidden = ScriptedError("forbidden")
    /// There is no such record.
    public static let notFound = ScriptedError("notFound")
    /// There were too many changes: it may be allowed later.
    public static let rateLimit = ScriptedError("rateLimit")
    /// The server can't answer now.
    public static let serverUnavailable = ScriptedError("serverUnavailable")
    /// The server failed.
    public static let serverFail = ScriptedError("serverFail")
    /// The server doesn't know the method: it is older than the client.
    public static let unknownMethod = ScriptedError("unknownMethod")

    var ofRecord: SetError { SetError(type, explanation) }
    var ofMethod: MethodError { MethodError(type, explanation) }
}
