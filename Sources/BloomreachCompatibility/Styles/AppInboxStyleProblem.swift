/// A value of a style that has no effect, with its place in the tree. The other values are applied.
public struct AppInboxStyleProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason for which a value has no effect.
    public enum Reason: Error, Hashable, Sendable {
        /// The text isn't JSON, or isn't an object.
        case notAnObject
        /// The tree has no member of this name.
        case unknownMember
        /// The value has another type than the member.
        case wrongType
        /// The text isn't one of the notations of a color.
        case invalidColor
        /// The text isn't a number, with or without a unit.
        case invalidNumber
        /// The text isn't one of the notations of a font's weight.
        case invalidWeight
        /// The number is negative or too large.
        case outOfRange
    }

    /// The names of the members that lead to the value, such as `["listView", "list", "backgroundColor"]`.
    public let path: [String]
    /// The reason.
    public let reason: Reason

    /// Creates a problem.
    public init(_ reason: Reason, at path: [String]) {
        (self.reason, self.path) = (reason, path)
    }

    /// The place and the reason, without the value.
    public var description: String { "\(path.joined(separator: ".")): \(reason)" }
}
