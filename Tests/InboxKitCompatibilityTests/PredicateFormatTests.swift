import Foundation
import SeededRandom
import Testing

@testable import InboxKitCompatibility

/// Formats of `NSPredicate`, read without a store.
@Suite(.timeLimit(.minutes(5))) struct PredicateFormatTests {
    private func read(_ format: String, _ arguments: [(any Sendable)?] = []) throws -> PredicateForm {
        try PredicateForm(format: format, arguments)
    }

    /// The form of a comparison, without its place.
    private static func comparison(
        _ keyPath: String,
        _ operation: PredicateComparison.Operation,
        _ value: PredicateValue,
        _ modifier: PredicateComparison.Modifier = .direct,
        options: String = ""
    ) -> PredicateForm {
        var comparison = PredicateComparison(keyPath, operation, value, modifier: modifier)
        (comparison.ignoresCase, comparison.ignoresAccents) = (options.contains("c"), options.contains("d"))
        return .comparison(comparison)
    }

    /// The form without places.
    private func withoutPlaces(_ form: PredicateForm) -> PredicateForm {
        switch form {
        case .always: return form
        case .comparison(var comparison):
            comparison.offset = nil
            return .comparison(comparison)
        case .not(let form): return .not(withoutPlaces(form))
        case .all(let forms): return .all(forms.map(withoutPlaces))
        case .any(let forms): return .any(forms.map(withoutPlaces))
        }
    }

    private func error(_ format: String, _ arguments: [(any Sendable)?] = []) -> INPredicateError? {
        do {
            _ = try read(format, arguments)
            return nil
        } catch {
            return error as? INPredicateError
        }
    }

    // MARK: - What is read

    private static let comparisons: [(format: String, form: PredicateForm)] = [
        ("subject = 'a'", comparison("subject", .equal, .text("a"))),
        ("subject==\"a\"", comparison("subject", .equal, .text("a"))),
        ("SELF.subject != 'it\\'s'", comparison("subject", .notEqual, .text("it's"))),
        ("subject <> \"say \\\"a\\\"\"", comparison("subject", .notEqual, .text("say \"a\""))),
        ("#subject < 'a'", comparison("subject", .less, .text("a"))),
        ("#any = 'a'", comparison("any", .equal, .text("a"))),
        ("subject =< 'a'", comparison("subject", .lessOrEqual, .text("a"))),
        ("subject >= 'a'", comparison("subject", .greaterOrEqual, .text("a"))),
        ("subject => 'a'", comparison("subject", .greaterOrEqual, .text("a"))),
        ("'a' > subject", comparison("subject", .less, .text("a"))),
        ("'a' = subject", comparison("subject", .equal, .text("a"))),
        ("'a' IN tagIDs", comparison("tagIDs", .contains, .text("a"))),
        ("subject CONTAINS[cd] 'É'", comparison("subject", .contains, .text("É"), options: "cd")),
        ("subject contains [c] 'a'", comparison("subject", .contains, .text("a"), options: "c")),
        ("subject beginswith[d] 'a'", comparison("subject", .begins, .text("a"), options: "d")),
        ("subject ENDSWITH[dc]'a'", comparison("subject", .ends, .text("a"), options: "cd")),
        ("subject LIKE 'a*?'", comparison("subject", .like, .text("a*?"))),
        ("subject ==[c] 'a'", comparison("subject", .equal, .text("a"), options: "c")),
        ("subject IN {'a', \"b\",'c'}", comparison("subject", .isIn, .list([.text("a"), .text("b"), .text("c")]))),
        ("subject IN {}", comparison("subject", .isIn, .list([]))),
        ("count BETWEEN {1, -2.5}", comparison("count", .isBetween, .list([.number(1), .number(-2.5)]))),
        (
            "count IN {0x1F, 0b11, 0o17, 1e3, .5}",
            comparison(
                "count",
                .isIn,
                .list([.number(31), .number(3), .number(15), .number(1000), .number(0.5)])
            )
        ),
        ("unread = YES", comparison("unread", .equal, .bool(true))),
        ("unread = false", comparison("unread", .equal, .bool(false))),
        ("unread == 1", comparison("unread", .equal, .number(1))),
        ("name = nil", comparison("name", .equal, .null)),
        ("name != NULL", comparison("name", .notEqual, .null)),
        ("ANY tagIDs = 'unread'", comparison("tagIDs", .equal, .text("unread"), .any)),
        ("some tagIDs = 'unread'", comparison("tagIDs", .equal, .text("unread"), .any)),
        ("ALL to.email ENDSWITH '@example.com'", comparison("to.email", .ends, .text("@example.com"), .all)),
        ("NONE tagIDs = 'a'", .not(comparison("tagIDs", .equal, .text("a"), .any))),
        ("NOT NONE tagIDs = 'a'", comparison("tagIDs", .equal, .text("a"), .any)),
        // As `NSPredicate` writes a date.
        (
            "lastMessageDate > CAST(60.000000, \"NSDate\")",
            comparison("lastMessageDate", .greater, .date(Date(timeIntervalSinceReferenceDate: 60)))
        ),
        ("subject = '\\u00e9\\ud83d\\ude00\\n\\x'", comparison("subject", .equal, .text("é😀\nx"))),
        // No argument, and no operator, in quotes.
        ("subject = '%@ AND \\\\'", comparison("subject", .equal, .text("%@ AND \\"))),
        ("  subject\n=\t'' ", comparison("subject", .equal, .text(""))),
    ]

    @Test func `a comparison is read in each way of writing it`() throws {
        for (format, form) in Self.comparisons {
            let found = withoutPlaces(try read(format))
            #expect(found == form, "\(format)")
        }
    }

    @Test func `NOT binds before AND, and AND before OR`() throws {
        let (a, b, c) = (
            Self.comparison("a", .equal, .number(1)), Self.comparison("b", .equal, .number(1)),
            Self.comparison("c", .equal, .number(1))
        )
        let forms: [(String, PredicateForm)] = [
            ("a = 1 AND b = 1 OR c = 1", .any([.all([a, b]), c])),
            ("a = 1 or b = 1 and c = 1", .any([a, .all([b, c])])),
            ("(a = 1 || b = 1) && c = 1", .all([.any([a, b]), c])),
            ("NOT a = 1 AND b = 1", .all([.not(a), b])),
            ("!(a = 1 AND b = 1)", .not(.all([a, b]))),
            ("NOT NOT a = 1", a), ("! ! NOT a = 1", .not(a)),
            ("NOT (NOT (a = 1))", a), ("(((a = 1)))", a),
            ("a = 1 AND (b = 1 OR NOT (c = 1))", .all([a, .any([b, .not(c)])])),
            ("TRUEPREDICATE", .always(true)), ("NOT TRUEPREDICATE OR a = 1", .any([.always(false), a])),
            ("a != 1", Self.comparison("a", .notEqual, .number(1))),
        ]
        for (format, form) in forms {
            let found = withoutPlaces(try read(format))
            #expect(found == form, "\(format)")
        }
    }

    @Test func `arguments replace placeholders in order, whatever their type and content`() throws {
        let date = Date(timeIntervalSince1970: 1_760_000_000.5)
        let form = try read(
            "%K CONTAINS[cd] %@ AND date > %@ AND count IN {%d, %ld, %f} AND ID IN %@ AND unread = %@ AND name = %@",
            ["subject", "' OR '1' = '1", date, 1, Int64(2), 2.5, Set(["x"]), true, nil]
        )
        #expect(
            withoutPlaces(form)
                == .all([
                    Self.comparison("subject", .contains, .text("' OR '1' = '1"), options: "cd"),
                    Self.comparison("date", .greater, .date(date)),
                    Self.comparison("count", .isIn, .list([.number(1), .number(2), .number(2.5)])),
                    Self.comparison("ID", .isIn, .list([.text("x")])),
                    Self.comparison("unread", .equal, .bool(true)), Self.comparison("name", .equal, .null),
                ])
        )
    }

    #if canImport(ObjectiveC)
        @Test func `an NSPredicate is read as its format is`() throws {
            let formats = [
                "subject = 'a'", "subject ==[c] 'a'", "subject CONTAINS[cd] 'invoice'", "subject IN {'a', 'b'}",
                "ANY tagIDs = 'unread'", "'a' IN tagIDs", "ALL participants.email ENDSWITH '@example.com'",
                "subject BEGINSWITH 'a' AND subject LIKE 'b*'", "subject = 'a' OR NOT ANY tagIDs = 'unread'",
            ]
            for format in formats {
                let (found, form) = (
                    try PredicateForm(NSPredicate(format: format, argumentArray: nil)), try read(format)
                )
                #expect(withoutPlaces(found) == withoutPlaces(form), "\(format)")
            }
            let date = Date(timeIntervalSince1970: 1_760_000_000)
            let dated = try PredicateForm(NSPredicate(format: "lastMessageDate > %@", argumentArray: [date]))
            #expect(dated == Self.comparison("lastMessageDate", .greater, .date(date)))
            let unread = try PredicateForm(NSPredicate(format: "unread = YES", argumentArray: nil))
            guard case .comparison(let comparison) = unread else {
                Issue.record("it isn't a comparison: \(unread)")
                return
            }
            #expect(comparison.value.bool == true)
        }
    #endif

    // MARK: - What isn't

    /// Formats with the reason and the place of their errors.
    private static let errors: [(format: String, arguments: [(any Sendable)?], INPredicateError.Reason, Int)] = [
        ("", [], .syntax, 0), ("subject", [], .syntax, 7), ("subject =", [], .syntax, 9), ("= 'a'", [], .syntax, 0),
        ("subject = 'a' 'b'", [], .syntax, 14), ("subject = 'a' AND", [], .syntax, 17),
        ("subject = 'a", [], .syntax, 10), ("subject = 'a\\", [], .syntax, 12), ("subject = '\\u12'", [], .syntax, 11),
        ("subject = '\\ud800x'", [], .syntax, 11), ("(subject = 'a'", [], .syntax, 0),
        ("subject = 'a')", [], .syntax, 13), ("subject IN {'a' 'b'}", [], .syntax, 16),
        ("subject IN {'a',}", [], .syntax, 16), ("subject IN {b}", [], .syntax, 12), ("subject IN {", [], .syntax, 12),
        ("a..b = 1", [], .syntax, 0), ("a = 1z", [], .syntax, 4), ("a = 1e999", [], .syntax, 4),
        ("a = 1 ; b", [], .syntax, 6), ("AND a = 1", [], .syntax, 0), ("a = 1 AND OR b = 1", [], .syntax, 10),
        ("()", [], .syntax, 1), ("subject CONTAINS[cd 'a'", [], .syntax, 16), ("# = 1", [], .syntax, 0),
        ("a = 1 a", [], .syntax, 6),
        ("subject MATCHES '.*'", [], .unsupported, 8), ("subject CONTAINS[l] 'a'", [], .unsupported, 16),
        ("subject CONTAINS[n] 'a'", [], .unsupported, 16), ("subject CONTAINS[] 'a'", [], .unsupported, 16),
        ("tagIDs[FIRST] = 'a'", [], .unsupported, 6), ("participants.@count > 1", [], .unsupported, 0),
        ("SUBQUERY(tagIDs, $x, $x = 'a').@count > 0", [], .unsupported, 0), ("now() > date", [], .unsupported, 0),
        ("date > now()", [], .unsupported, 7), ("uppercase(subject) = 'A'", [], .unsupported, 9),
        ("subject = $x", [], .unsupported, 10), ("a + 1 = 2", [], .unsupported, 2), ("a = b", [], .unsupported, 4),
        ("1 = 1", [], .unsupported, 0), ("'a' CONTAINS subject", [], .unsupported, 4),
        ("SELF = 'a'", [], .unsupported, 0),
        ("subject IN ('a')", [], .unsupported, 11), ("subject IN {{'a'}}", [], .unsupported, 12),
        ("ANY 'a' = tagIDs", [], .unsupported, 8), ("date > CAST('2026', 'NSDate')", [], .unsupported, 7),
        ("subject = %s", [], .unsupported, 10), ("subject = %", [], .unsupported, 10),
        ("(subject) = 'a'", [], .syntax, 8),
        ("subject = %@", [], .argument, 10), ("subject = 'a'", ["b"], .argument, 13),
        ("%K = 'a'", [1], .argument, 0), ("count = %d", ["1"], .argument, 8),
        ("subject = %@", [URL(string: "https://example.com")!], .argument, 10),
        ("subject IN %@", [[["a"]]], .argument, 11),
    ]

    @Test func `every other form has an error of its kind, at its place`() {
        for (format, arguments, reason, place) in Self.errors {
            let error = error(format, arguments)
            #expect(error?.reason == reason && error?.offset == place, "\(format): \(error.debugDescription)")
        }
    }

    @Test func `an error has no value in its text`() {
        for (format, arguments, _, _) in Self.errors + [("subject = Geheim", [], .syntax, 0)] {
            let text = error(format, arguments)?.description ?? ""
            #expect(!text.contains("Geheim") && !text.contains("2026") && !text.contains("https://"), "\(format)")
        }
    }

    // MARK: - Hostile formats

    @Test func `too many levels, values or comparisons are an error`() throws {
        let (depth, comparisons) = (INPredicateLimits.depth, INPredicateLimits.comparisons)
        func nested(_ levels: Int) -> String {
            String(repeating: "(", count: levels) + "a = 1" + String(repeating: ")", count: levels)
        }
        #expect(try withoutPlaces(read(nested(depth))) == Self.comparison("a", .equal, .number(1)))
        #expect(error(nested(depth + 1))?.reason == .limit && error(nested(depth + 1))?.offset == depth)
        #expect(error(String(repeating: "(", count: 60_000))?.reason == .limit)
        // A row of NOT isn't deep.
        #expect(
            try withoutPlaces(read(String(repeating: "NOT ", count: 16_000) + "a = 1"))
                == Self.comparison("a", .equal, .number(1))
        )
        func many(_ count: Int) -> String { Array(repeating: "a = 1", count: count).joined(separator: " OR ") }
        #expect(throws: Never.self) { try read(many(comparisons)) }
        #expect(error(many(comparisons + 1))?.reason == .limit)
        let texts = Array(repeating: "x", count: INPredicateLimits.values)
        #expect(throws: Never.self) { try read("ID IN %@", [texts]) }
        #expect(error("ID IN %@", [texts + ["x"]])?.reason == .limit)
        #expect(error("ID IN %@ AND ID IN {'a'}", [texts])?.reason == .limit)
        let long = "subject = '" + String(repeating: "x", count: INPredicateLimits.formatLength)
        #expect(error(long)?.reason == .limit && error(long)?.offset == nil)
        #expect(error("[" + String(repeating: "x", count: 60_000) + "]")?.reason == .syntax)
    }

    @Test func `random pieces of formats are read or have an error, and nothing else happens`() {
        var random = Seeded(24)
        let pieces = [
            "(", ")", "{", "}", ",", "'", "\"", "\\", "%@", "%K", "%d", "%", "[cd]", "[", "]", "ANY ", "ALL ", "NONE ",
            "NOT ", "AND ", " OR ", "subject", "tagIDs", ".", "@", "#", "$", " = ", "!=", "<", ">", "IN ", "BETWEEN ",
            " LIKE ", "1", "-", "0x", "e", "'a'", "{'a','b'}", "CAST(", "NSDate", "YES", "nil", "\u{0}", "é", "😀",
            "\u{301}", "subject = 'a'", " \n", "\\u", "\\ud83d",
        ]
        var readable = 0
        for _ in 0..<20_000 {
            let format = (0..<Int.random(in: 1...12, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            do {
                _ = try read(format, ["subject", 1])
                readable += 1
            } catch let error as INPredicateError {
                #expect(error.offset ?? 0 <= format.unicodeScalars.count)
            } catch {
                Issue.record(error)
            }
        }
        // With two arguments left over, hardly any is.
        #expect(readable < 20_000)
    }
}
