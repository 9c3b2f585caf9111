import Foundation
import Groundwork
import InboxAdapters
import Testing

/// Items of Adobe's edge whose cards are the consequences of rules.
@Suite(.timeLimit(.minutes(5))) struct AdobeRulesetTests {
    private static let now = 1_777_622_400

    /// A proposition with a ruleset of one rule.
    private func proposition(_ condition: String, cards: [String] = ["c1"]) throws -> JSONReader {
        let consequences = cards.map { id in
            """
            {"id":"\(id)","type":"schema","detail":{"id":"\(id)",
             "schema":"https://ns.adobe.com/personalization/message/content-card","data":{
             "contentType":"application/json","meta":{"adobe":{"template":"SmallImage"}},
             "publishedDate":1777000000,"expiryDate":1877000000,"content":{"title":{"content":"\(id)"}}}}}
            """
        }
        let text = """
            {"id":"p1","scope":"mobileapp://app/inbox","scopeDetails":{"activity":{"id":"a1"}},"items":[
             {"id":"r1","schema":"https://ns.adobe.com/personalization/ruleset-item","data":{"version":1,"rules":[
              {"condition":\(condition),"consequences":[\(consequences.joined(separator: ","))]}]}}]}
            """
        return JSONReader(try JSON(parsing: Array(text.utf8)))
    }

    private func parts(_ condition: String, importsUndecided: Bool = false) throws -> [AdobePart] {
        let now = Date(timeIntervalSince1970: TimeInterval(Self.now))
        return AdobePart.parts(of: [try proposition(condition)], now: now, importsUndecided: importsUndecided)
    }

    /// The first and the last second of a card with a condition, in seconds from now. Nil for no bound.
    private func period(_ condition: String, importsUndecided: Bool = false) throws -> [Int?] {
        let part = try #require(try parts(condition, importsUndecided: importsUndecided).first)
        guard case .message(let message) = try part.content.get() else { return [] }
        return [message.notBefore, message.expiresAt].map { $0.map { Int($0.timeIntervalSince1970) - Self.now } }
    }

    private func matcher(_ matcher: String, _ seconds: Int..., key: String = "~timestampu") -> String {
        let values = seconds.map { String(Self.now + $0) }.joined(separator: ",")
        return #"{"type":"matcher","definition":{"key":"\#(key)","matcher":"\#(matcher)","values":[\#(values)]}}"#
    }

    private func group(_ logic: String, _ conditions: String...) -> String {
        #"{"type":"group","definition":{"logic":"\#(logic)","conditions":[\#(conditions.joined(separator: ","))]}}"#
    }

    private func error(_ condition: String) throws -> (AdapterError.Reason, String) {
        let part = try #require(try parts(condition).first)
        guard case .failure(let error) = part.content else { return (.missing, "no error") }
        return (error.reason, error.pointer)
    }

    private static let place = "/items/0/data/rules/0/condition"
    private static let expiry = 1_877_000_000 - now

    @Test func `comparisons with the time become delivery and expiry`() throws {
        #expect(try period(matcher("lt", 100)) == [nil, 100])
        #expect(try period(matcher("le", 100)) == [nil, 101])
        #expect(try period(matcher("gt", 100)) == [101, Self.expiry])
        #expect(try period(matcher("ge", 100)) == [100, Self.expiry])
        #expect(try period(matcher("eq", 100)) == [100, 101])
        #expect(try period(matcher("lt", 100, 300, 200)) == [nil, 300], "any of the values")
        #expect(try period(matcher("lt", Self.expiry + 5)) == [nil, Self.expiry], "the card's own expiry is earlier")
    }

    @Test func `groups are the periods in common, or the united ones`() throws {
        #expect(try period(group("and", matcher("gt", 10), matcher("lt", 50))) == [11, 50])
        #expect(
            try period(group("and", matcher("ge", -50), group("and", matcher("lt", 90), matcher("lt", 70)))) == [
                -50, 70,
            ]
        )
        #expect(
            try period(group("or", matcher("lt", 50), group("and", matcher("ge", 50), matcher("lt", 70)))) == [nil, 70]
        )
        #expect(try period(group("and")) == [nil, Self.expiry])
        // What is past doesn't count: the card is shown in the second period.
        let two = group("or", group("and", matcher("ge", -90), matcher("lt", -80)), matcher("ge", 30))
        #expect(try period(two) == [30, Self.expiry])
        // And where all of it is past, the card is imported as expired.
        #expect(try period(matcher("lt", -80)) == [nil, -80])
    }

    @Test func `a card that expires before its condition holds is refused`() throws {
        #expect(try error(matcher("ge", Self.expiry)) == (.notAcceptable, Self.place))
        #expect(try period(matcher("ge", Self.expiry - 1)) == [Self.expiry - 1, Self.expiry])
    }

    @Test func `settings are imported while their condition holds`() throws {
        func isImported(_ condition: String) throws -> Bool {
            let settings = """
                {"id":"s","schema":"https://ns.adobe.com/personalization/message/inbox","data":{"content":{
                 "layout":{"orientation":"vertical"},"capacity":5}}}
                """
            let text = """
                {"id":"p","scope":"s","scopeDetails":{"a":1},"items":[
                 {"id":"r","schema":"https://ns.adobe.com/personalization/ruleset-item","data":{"rules":[
                  {"condition":\(condition),"consequences":[{"type":"schema","detail":\(settings)}]}]}}]}
                """
            let reader = JSONReader(try JSON(parsing: Array(text.utf8)))
            let now = Date(timeIntervalSince1970: TimeInterval(Self.now))
            let part = try #require(AdobePart.parts(of: [reader], now: now).first)
            guard case .failure(let error) = part.content else { return true }
            #expect(error.reason == .notAcceptable && error.pointer == Self.place)
            return false
        }
        #expect(try isImported(group("and", matcher("ge", 0), matcher("lt", 1))))
        #expect(try !isImported(matcher("gt", 0)))
        #expect(try !isImported(matcher("lt", 0)))
    }

    @Test func `a condition that an import can't decide is refused with its pointer`() throws {
        let event = matcher("eq", 1, key: "~type")
        #expect(try error(event) == (.undecided, Self.place))
        #expect(
            try error(group("and", matcher("lt", 50), event)) == (.undecided, "\(Self.place)/definition/conditions/1")
        )
        for condition in [
            "{}", #"{"type":"historical","definition":{}}"#,
            #"{"type":"group","definition":{"logic":"xor","conditions":[]}}"#,
            matcher("co", 5),
            #"{"type":"matcher","definition":{"key":"~timestampu","matcher":"lt","values":["soon"]}}"#,
            #"{"type":"matcher","definition":{"key":"~timestampu","matcher":"lt"}}"#,
            group("or", matcher("lt", 10), matcher("gt", 20)),
        ] {
            #expect(try error(condition) == (.undecided, Self.place), "\(condition)")
        }
    }

    @Test func `an undecidable condition has no effect where the others decide`() throws {
        let event = matcher("eq", 1, key: "~type")
        #expect(try period(group("or", event, group("or", matcher("lt", 0), matcher("ge", 0)))) == [nil, Self.expiry])
        #expect(try error(group("and", event, matcher("lt", 0), matcher("gt", 5))) == (.notAcceptable, Self.place))
    }

    @Test func `an import delivers cards with undecidable conditions on request`() throws {
        let condition = group("and", matcher("lt", 50), matcher("eq", 1, key: "~type"))
        #expect(try period(condition, importsUndecided: true) == [nil, 50])
        let part = try #require(try parts(condition, importsUndecided: true).first)
        #expect(part.undecided?.description == "\(Self.place)/definition/conditions/1")
        // Of several periods, the card is shown from the first to the last.
        let two = group("or", matcher("lt", 10), group("and", matcher("gt", 20), matcher("lt", 30)))
        #expect(try period(two, importsUndecided: true) == [nil, 30])
        #expect(try parts(matcher("lt", 50), importsUndecided: true).first?.undecided == nil)
    }

    @Test func `thousands of periods are one error`() throws {
        let many = (0..<5_000).map { matcher("ne", $0 * 2) }.joined(separator: ",")
        let condition = #"{"type":"group","definition":{"logic":"and","conditions":[\#(many)]}}"#
        #expect(try error(condition) == (.undecided, Self.place))
        let values = (0..<5_000).map { String(Self.now + 2 * $0) }.joined(separator: ",")
        let one = #"{"type":"matcher","definition":{"key":"~timestampu","matcher":"eq","values":[\#(values)]}}"#
        #expect(try error(one) == (.undecided, Self.place))
    }

    @Test func `each card consequence is a separate card`() throws {
        let reader = try proposition(matcher("lt", 50), cards: ["c1", "c2"])
        let parts = AdobePart.parts(of: [reader], now: Date(timeIntervalSince1970: TimeInterval(Self.now)))
        #expect(parts.map(\.item) == [0, 0] && parts.map(\.consequence?.index) == [0, 1])
        let ids = try parts.map { part in
            guard case .message(let message) = try part.content.get() else { return "" }
            return message.externalID
        }
        #expect(ids == ["c1", "c2"])
        #expect(try AdobeProposition(reading: reader).items.map(\.id) == ["c1", "c2"])
    }

    @Test(arguments: [
        (#""data":{}"#, "/items/0/data/rules"), (#""data":{"rules":{}}"#, "/items/0/data/rules"),
        (#""data":{"rules":[]}"#, "/items/0/data/rules"),
        (#""data":{"rules":[{"consequences":[]}]}"#, "/items/0/data/rules/0/condition"),
        (#""data":{"rules":[{"condition":{}}]}"#, "/items/0/data/rules/0/consequences"),
        (#""data":{"rules":[{"condition":{},"consequences":[{"type":"add"}]}]}"#, "/items/0/data/rules"),
        (
            #""data":{"rules":[{"condition":{},"consequences":[{"type":"schema"}]}]}"#,
            "/items/0/data/rules/0/consequences/0/detail"
        ), (#""x":1"#, "/items/0/data"),
    ])
    func `a ruleset without a card is an error at its pointer`(_ data: String, _ pointer: String) throws {
        let text = """
            {"id":"p1","scope":"s","scopeDetails":{"a":1},"items":[
             {"id":"r1","schema":"https://ns.adobe.com/personalization/ruleset-item",\(data)}]}
            """
        let parts = AdobePart.parts(of: [JSONReader(try JSON(parsing: Array(text.utf8)))], now: .distantPast)
        #expect(parts.count == 1)
        guard case .failure(let error)? = parts.first?.content else {
            Issue.record("no error")
            return
        }
        #expect(error.pointer == pointer)
    }
}
