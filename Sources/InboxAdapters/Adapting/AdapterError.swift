package import Groundwork

/// A part of a vendor's message that can't be used: its location, the problem and how to fix it. It never contains the
/// value itself.
public struct AdapterError: Error, Hashable, Sendable {
    /// The reason why a part can't be used.
    public enum Reason: Hashable, Sendable {
        /// The text isn't JSON, or the value isn't an object.
        case notAnObject
        /// The message has no id, so a repeated message can't be distinguished from a new one.
        case noID
        /// A date isn't a number of seconds or milliseconds since 1970.
        case wrongDate
        /// The kind of message has no content to show.
        case unknownKind
        /// A required part is missing.
        case missing
        /// The part has the wrong type.
        case wrongType
        /// The part's value isn't possible in this package's messages, or exceeds a limit.
        case notAcceptable
        /// Whether the part is shown depends on facts that an import can't know.
        case undecided
    }

    /// The reason why the part can't be used.
    public let reason: Reason
    package let location: JSONPointer
    /// The problem and how to fix it, as a predicate without a subject: "has to be a number".
    public let problem: String

    package init(_ reason: Reason, at location: JSONPointer, _ problem: String) {
        (self.reason, self.location, self.problem) = (reason, location, problem)
    }

    /// The part's location as a JSON pointer (RFC 6901), such as `/3/content/actions/0`. Empty for the whole document.
    public var pointer: String { location.description }
}

extension AdapterError: CustomStringConvertible {
    /// The location and the problem.
    public var description: String { "\(location.tokens.isEmpty ? "the message" : pointer) \(problem)" }
}
