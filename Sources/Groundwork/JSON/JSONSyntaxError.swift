/// A JSON syntax error, with its reason and byte offset.
///
/// The description never contains the text itself, which may be a person's message.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case endOfText
        case unexpectedByte
        /// The text begins with U+FEFF, which JSON text must not (RFC 8259, section 8.1).
        case byteOrderMark
        case nameExpected
        case controlCharacter
        case malformedNumber
        case malformedEscape
        case loneSurrogate
        case notUTF8
        case trailingText
        case repeatedName
        case tooDeep(limit: Int)
        case tooManyValues(limit: Int)
    }

    package let reason: Reason
    /// The offset of the offending byte, counted from 0.
    package let offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String {
        let problem =
            switch reason {
            case .endOfText: "the text ends unexpectedly"
            case .unexpectedByte: "a value, comma, colon or bracket was expected"
            case .byteOrderMark: "the text has to be sent without its byte order mark (U+FEFF)"
            case .nameExpected: "a member's name in quotes was expected"
            case .controlCharacter: "a control character in a string has to be escaped"
            case .malformedNumber: "the number is malformed"
            case .malformedEscape: "the escape after \\ is malformed"
            case .loneSurrogate: "a surrogate escape is unpaired"
            case .notUTF8: "the text isn't UTF-8"
            case .trailingText: "unexpected text follows the value"
            case .repeatedName: "an object has a duplicate name"
            case .tooDeep(let limit): "values nest deeper than \(limit)"
            case .tooManyValues(let limit): "there are more than \(limit) values"
            }
        return "\(problem), at byte \(offset)"
    }
}
