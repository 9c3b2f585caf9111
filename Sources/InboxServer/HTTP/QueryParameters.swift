import Foundation
import Groundwork
import Hummingbird
import InboxService

/// The parameters of a URL's query or a form. Each has a known name, and occurs at most once unless it is a list.
struct QueryParameters: Sendable {
    private let values: [String: String]
    private let list: [String]

    /// Reads the query of a request, encoded as a form: `+` is a space.
    ///
    /// - Parameter ignoringUnknown: Whether unknown names are ignored, as on a page to which others link.
    /// - Throws: ``Problem`` 400 for an unknown or repeated name, or a malformed escape.
    init(_ request: Request, allowed names: Set<String>, ignoringUnknown: Bool = false) throws {
        try self.init(form: request.uri.query ?? "", allowed: names, ignoringUnknown: ignoringUnknown)
    }

    /// Reads the text of a form (`application/x-www-form-urlencoded`).
    ///
    /// - Parameter listed: The name of a field that may occur several times: ``listed``.
    /// - Throws: ``Problem`` 400 for an unknown or repeated name, or a malformed escape.
    init(form: String, allowed names: Set<String>, listed: String? = nil, ignoringUnknown: Bool = false) throws {
        var values: [String: String] = [:]
        var list: [String] = []
        for part in form.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(pair.first, name: "names")
            if name == listed {
                list.append(try Self.decoded(pair.dropFirst().first, name: name))
                continue
            }
            guard names.contains(name) else {
                if ignoringUnknown { continue }
                let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
                throw Problem(.badRequest, "The URL has an unknown parameter. The known ones are: \(known).")
            }
            guard values.updateValue(try Self.decoded(pair.dropFirst().first, name: name), forKey: name) == nil else {
                throw Problem(.badRequest, "The URL has the parameter \(name) twice.")
            }
        }
        (self.values, self.list) = (values, list)
    }

    subscript(_ name: String) -> String? { values[name] }

    /// The values of the field that may occur several times.
    var listed: [String] { list }

    /// Returns a whole number, or nil if the parameter is missing.
    ///
    /// - Throws: ``Problem`` 400 if the value isn't a whole number in the range.
    func int(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), String(value) == text, range.contains(value) else {
            throw Problem(
                .badRequest,
                "The parameter \(name) has to be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return value
    }

    /// Returns a date, or nil if the parameter is missing.
    ///
    /// - Throws: ``Problem`` 400 if the value isn't a date.
    func date(_ name: String) throws -> Date? {
        guard let text = values[name] else { return nil }
        guard let date = RFC3339.date(from: text) else {
            throw Problem(
                .badRequest,
                "The parameter \(name) has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z."
            )
        }
        return date
    }

    /// Returns a message's id, as a page's `next` contains it, or nil if the parameter is missing.
    ///
    /// - Throws: ``Problem`` 400 if the value can't be a message's id.
    func messageID(_ name: String) throws -> MessageID? {
        guard let text = values[name] else { return nil }
        guard let id = MessageID(text) else {
            throw Problem(.badRequest, "The parameter \(name) isn't a message id.")
        }
        return id
    }

    /// Returns an id, as a page's `next` contains it, or nil if the parameter is missing.
    ///
    /// - Parameters:
    ///   - kind: The kind of id, for the error.
    ///   - parse: Returns the id of a text, or nil for any other text.
    /// - Throws: ``Problem`` 400 if the value can't be such an id.
    func id<ID>(_ name: String, _ kind: String, _ parse: (String) -> ID?) throws -> ID? {
        guard let text = values[name] else { return nil }
        guard let id = parse(text) else { throw Problem(.badRequest, "The parameter \(name) has to be \(kind).") }
        return id
    }

    /// Returns a person's id, or nil if the parameter is missing.
    ///
    /// - Throws: ``Problem`` 400 if the value can't be a person's id.
    func person(_ name: String) throws -> String? {
        guard let person = values[name] else { return nil }
        guard PersonName.isValid(person) else {
            throw Problem(.badRequest, "The parameter \(name) \(PersonName.rule).")
        }
        return person
    }

    /// Returns one of the cases of a type, or nil if the parameter is missing.
    ///
    /// - Parameter text: Returns the text of a case.
    /// - Throws: ``Problem`` 400 with the known texts if the value isn't one of them.
    func choice<Choice: CaseIterable>(_ name: String, by text: (Choice) -> String) throws -> Choice? {
        guard let value = values[name] else { return nil }
        guard let choice = Choice.allCases.first(where: { text($0) == value }) else {
            let known = Choice.allCases.map(text).joined(separator: ", ")
            throw Problem(.badRequest, "The parameter \(name) has to be one of \(known).")
        }
        return choice
    }

    private static func decoded(_ bytes: Substring.UTF8View.SubSequence?, name: String) throws -> String {
        let bytes = bytes ?? Substring().utf8[...]
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(where: { [UInt8(ascii: "+"), UInt8(ascii: "%"), 0].contains($0) }) else { return text }
        return try Request.decoded(text.replacing("+", with: " "), name: name)
    }
}

enum PageLimits {
    /// The number of items that a page may have.
    static let limitRange = 1...1_000
    static let defaultLimit = 100

    /// Returns the response with a page: the items under the given name, and `next`, the `after` of the next page, if
    /// there are more items.
    ///
    /// - Parameter items: The items, each with its cursor: one more than `limit` if there are more.
    static func response(_ name: String, _ items: [(cursor: String, json: JSON)], limit: Int) -> JSON {
        var response = JSONObject([(name, .array(items.prefix(limit).map(\.json)))])
        if items.count > limit, let last = items.prefix(limit).last { response.add("next", .string(last.cursor)) }
        return .object(response)
    }
}
