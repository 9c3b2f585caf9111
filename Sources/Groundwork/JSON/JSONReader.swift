package import Foundation

/// A JSON value with its location in the document, for reading with errors that name the location.
package struct JSONReader: Sendable {
    package let value: JSON
    package let pointer: JSONPointer

    package init(_ value: JSON, at pointer: JSONPointer = JSONPointer()) {
        self.value = value
        self.pointer = pointer
    }

    /// Returns an error at this location.
    package func failure(_ problem: String) -> JSONValueError {
        JSONValueError(pointer: pointer, problem: problem)
    }

    /// Returns the member with the given name, or nil if it is absent or null.
    package func member(_ name: String) -> JSONReader? {
        guard let value = value[name], value != .null else { return nil }
        return JSONReader(value, at: pointer / name)
    }

    /// Returns the member with the given name.
    ///
    /// - Throws: ``JSONValueError`` if the member is absent or null.
    package func required(_ name: String) throws(JSONValueError) -> JSONReader {
        guard let member = member(name) else {
            throw JSONValueError(pointer: pointer / name, problem: "is required")
        }
        return member
    }

    package func object() throws(JSONValueError) -> JSONObject {
        guard let object = value.objectValue else { throw failure("has to be an object") }
        return object
    }

    /// Checks that this is an object with no members other than these.
    package func only(_ names: Set<String>) throws(JSONValueError) {
        for member in try object().members where !names.contains(member.name) {
            throw JSONValueError(
                pointer: pointer / member.name,
                problem: "is not a known field; known are \(names.sorted().joined(separator: ", "))"
            )
        }
    }

    package func elements() throws(JSONValueError) -> [JSONReader] {
        guard let elements = value.arrayValue else { throw failure("has to be an array") }
        return elements.enumerated().map { JSONReader($1, at: pointer / $0) }
    }

    package func string() throws(JSONValueError) -> String {
        guard let string = value.stringValue else { throw failure("has to be a string") }
        return string
    }

    /// Returns a string of at most `maxBytes` bytes in UTF-8.
    package func string(maxBytes: Int) throws(JSONValueError) -> String {
        let string = try string()
        guard string.utf8.count <= maxBytes else { throw failure("has more than \(maxBytes) bytes") }
        return string
    }

    /// Returns a string that is stored in a column of its own, or compared with one. It has no U+0000, which a text of
    /// PostgreSQL can't contain. Strings that are stored as part of their JSON may have it, as `\u0000`.
    ///
    /// - Parameter maxBytes: The maximum size in UTF-8.
    package func columnText(maxBytes: Int = .max) throws(JSONValueError) -> String {
        let string = try string(maxBytes: maxBytes)
        guard !string.utf8.contains(0) else { throw failure("must not contain U+0000") }
        return string
    }

    package func bool() throws(JSONValueError) -> Bool {
        guard let bool = value.boolValue else { throw failure("has to be true or false") }
        return bool
    }

    package func int(in range: ClosedRange<Int> = -JSONReader.maxInt...JSONReader.maxInt) throws(JSONValueError) -> Int
    {
        guard let int = value.intValue else { throw failure("has to be a whole number") }
        guard range.contains(int) else {
            throw failure("has to be from \(range.lowerBound) to \(range.upperBound)")
        }
        return int
    }

    /// The largest integer that JMAP allows, 2^53 - 1 (RFC 8620, section 1.3).
    package static let maxInt = 9_007_199_254_740_991

    /// Returns a date in JMAP's UTCDate format (RFC 8620, section 1.4).
    package func date() throws(JSONValueError) -> Date {
        guard let date = RFC3339.date(from: try string()) else {
            throw failure("has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z")
        }
        return date
    }

    /// Returns an object whose values are all strings.
    package func stringPairs() throws(JSONValueError) -> [String: String] {
        var pairs: [String: String] = [:]
        for member in try object().members {
            pairs[member.name] = try JSONReader(member.value, at: pointer / member.name).string()
        }
        return pairs
    }
}

/// A value that isn't valid at its location, with the location and how to fix it. It never contains the value itself.
package struct JSONValueError: Error, Hashable, CustomStringConvertible {
    package let pointer: JSONPointer
    /// The problem, as a predicate without a subject, such as "has to be a string".
    package let problem: String

    package init(pointer: JSONPointer, problem: String) {
        self.pointer = pointer
        self.problem = problem
    }

    /// Returns the problem as a sentence about the document or the part of it.
    ///
    /// - Parameter subject: The document, as a noun phrase at the beginning of a sentence, such as "The request".
    package func sentence(about subject: String) -> String {
        pointer.tokens.isEmpty ? "\(subject) \(problem)." : "\(subject)'s \(pointer) \(problem)."
    }

    package var description: String {
        "\(pointer.tokens.isEmpty ? "the document" : pointer.description) \(problem)"
    }
}
