import Foundation
import Groundwork
import Hummingbird
import InboxService

/// The parameters of an address, each of a known name and there once.
struct Query: Sendable {
    private let values: [String: String]

    /// Reads what follows the question mark, as a form is written: `+` is a space.
    ///
    /// - Parameter ignoringOthers: Whether other names are passed over, as a page does to which links lead.
    /// - Throws: ``Problem`` 400 for a name that isn't known or is there twice, and for escapes that are malformed.
    init(_ request: Request, knowing names: Set<String>, ignoringOthers: Bool = false) throws {
        try self.init(form: request.uri.query ?? "", knowing: names, ignoringOthers: ignoringOthers)
    }

    /// Reads the text of a form (`application/x-www-form-urlencoded`).
    ///
    /// - Throws: ``Problem`` 400, as for an address.
    init(form: String, knowing names: Set<String>, ignoringOthers: Bool = false) throws {
        var values: [String: String] = [:]
        for part in form.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(pair.first)
            guard names.contains(name) else {
                if ignoringOthers { continue }
                let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
                throw Problem(.badRequest, "The address has a parameter that isn't known; known are \(known).")
            }
            guard values.updateValue(try Self.decoded(pair.dropFirst().first), forKey: name) == nil else {
                throw Problem(.badRequest, "The address has the parameter \(name) twice.")
            }
        }
        self.values = values
    }

    subscript(_ name: String) -> String? { values[name] }

    /// A whole number.
    ///
    /// - Throws: ``Problem`` 400 where it is none, or past the range.
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

    /// A date.
    ///
    /// - Throws: ``Problem`` 400 where it is none.
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

    /// A message's id, as a page gives it in `next`.
    ///
    /// - Throws: ``Problem`` 400 where it can't be one.
    func messageID(_ name: String) throws -> MessageID? {
        guard let text = values[name] else { return nil }
        guard let id = MessageID(text) else {
            throw Problem(.badRequest, "The parameter \(name) isn't a message's id.")
        }
        return id
    }

    private static func decoded(_ bytes: Substring.UTF8View.SubSequence?) throws -> String {
        let bytes = bytes ?? Substring().utf8[...]
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else { return text }
        return try Request.decoded(text.replacing("+", with: " "))
    }
}

enum PageLimits {
    /// How many a page may have.
    static let allowed = 1...1_000
    static let usual = 100

    /// The answer with a page: under its name what it has, and where there is more, `next`, the `after` of the next
    /// page.
    ///
    /// - Parameter items: What there is, each with its cursor; one more than `limit` where there is more.
    static func answer(_ name: String, _ items: [(cursor: String, json: JSON)], limit: Int) -> JSON {
        var answer = JSONObject([(name, .array(items.prefix(limit).map(\.json)))])
        if items.count > limit, let last = items.prefix(limit).last { answer.add("next", .string(last.cursor)) }
        return .object(answer)
    }
}
