package import Groundwork

/// A part of another system's message that can't be used: where it is, what is wrong with it, and how to mend it. Never
/// repeats what was there.
public struct AdapterError: Error, Hashable, Sendable {
    /// Why it can't be used.
    public enum Reason: Hashable, Sendable {
        /// It isn't JSON, or not an object.
        case notAnObject
        /// It has no id, so that nobody could tell a repeat from a new message.
        case noID
        /// A date is no number of seconds or milliseconds since 1970.
        case wrongDate
        /// It is of a kind that has no content to show.
        case unknownKind
        /// It is required, and isn't there.
        case missing
        /// It is of another type than it has to be.
        case wrongType
        /// It says something that a message of ours can't, or more than one may.
        case notAcceptable
    }

    /// Why it can't be used.
    public let reason: Reason
    package let place: JSONPointer
    /// What is wrong and how to mend it, as a sentence without its subject: "has to be a number".
    public let problem: String

    package init(_ reason: Reason, at place: JSONPointer, _ problem: String) {
        (self.reason, self.place, self.problem) = (reason, place, problem)
    }

    /// The part, as a JSON pointer (RFC 6901), such as `/3/content/actions/0`; empty for the whole.
    public var pointer: String { place.description }
}

extension AdapterError: CustomStringConvertible {
    /// The part and what is wrong with it.
    public var description: String { "\(place.tokens.isEmpty ? "the message" : pointer) \(problem)" }
}
