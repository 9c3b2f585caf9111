package import JMAP

/// A JMAP error that a scripted server answers with, by its type.
///
/// For a single change, the types are those of RFC 8620, section 5.3, such as `forbidden`, `notFound` and `rateLimit`.
/// For a whole call, they are those of section 3.6.2, such as `serverUnavailable`, `serverFail` and `unknownMethod`. A
/// client reverts changes that were refused permanently, and resends those that were refused temporarily.
public struct ScriptedError: Hashable, Sendable {
    /// The error's type.
    public let type: String
    /// An explanation for people; nil for none.
    public let explanation: String?

    /// Creates an error.
    public init(_ type: String, _ explanation: String? = nil) {
        (self.type, self.explanation) = (type, explanation)
    }

    /// The change isn't allowed. The refusal is final.
    public static let forbidden = ScriptedError("forbidden")
    /// The record doesn't exist.
    public static let notFound = ScriptedError("notFound")
    /// There were too many changes. A later attempt may succeed.
    public static let rateLimit = ScriptedError("rateLimit")
    /// The server is unavailable at present.
    public static let serverUnavailable = ScriptedError("serverUnavailable")
    /// The server failed.
    public static let serverFail = ScriptedError("serverFail")
    /// The server doesn't know the method, because it is older than the client.
    public static let unknownMethod = ScriptedError("unknownMethod")

    /// The error of a single change.
    package var setError: SetError { SetError(type, explanation) }
    /// The error of a whole call.
    package var methodError: MethodError { MethodError(type, explanation) }
}
