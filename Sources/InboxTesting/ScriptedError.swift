import JMAP

/// An error that a ``ScriptedServer`` returns, by its JMAP type.
///
/// For one change (``ScriptedServer/refuse(_:with:)``), the types are those of RFC 8620 §5.3, such as `forbidden`,
/// `notFound`, `rateLimit`. For a whole method call, they are those of §3.6.2, such as `serverUnavailable`,
/// `serverFail`, `unknownMethod`. A client reverts a change that was refused permanently, and repeats one after a
/// retryable error.
public struct ScriptedError: Hashable, Sendable {
    /// The error's type.
    public let type: String
    /// A description for developers, or nil.
    public let explanation: String?

    /// Creates an error.
    public init(_ type: String, _ explanation: String? = nil) {
        (self.type, self.explanation) = (type, explanation)
    }

    /// The change is refused permanently.
    public static let forbidden = ScriptedError("forbidden")
    /// The record doesn't exist.
    public static let notFound = ScriptedError("notFound")
    /// There were too many changes. The change may be accepted later.
    public static let rateLimit = ScriptedError("rateLimit")
    /// The server is temporarily unavailable.
    public static let serverUnavailable = ScriptedError("serverUnavailable")
    /// The server had an internal error.
    public static let serverFail = ScriptedError("serverFail")
    /// The server doesn't support the method, because it is older than the client.
    public static let unknownMethod = ScriptedError("unknownMethod")

    var ofRecord: SetError { SetError(type, explanation) }
    var ofMethod: MethodError { MethodError(type, explanation) }
}
