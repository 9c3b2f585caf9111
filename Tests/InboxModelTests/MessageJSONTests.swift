import Foundation
import Groundwork
import InboxModel
import Testing

/// A message as JSON: read leniently, written without defaults.
@Suite(.timeLimit(.minutes(5))) struct MessageJSONTests {
    private func read(_ json: JSON) throws -> Message { try Message(json: json) }

    @Test func `every field is read and written`() throws {
        let json = try JSON(parsing: Samples.fullText.utf8)
        #expect(try read(json) == Samples.full)
        #expect(Samples.full.json == json)
        #expect(json.objectValue?.count == MessageField.allCases.count)
    }

    @Test func `defaults are left out when written and filled in when read`() throws {
        #expect(Samples.bare.json == ["id": "m2", "surface": "inbox", "deliverAt": "1970-01-01T00:00:00Z"])
        #expect(try read(["id": "m2", "deliverAt": "1970-01-01T00:00:00Z"]) == Samples.bare)
    }

    @Test(arguments: MessageField.allCases.filter { $0 != .id && $0 != .deliverAt })
    func `a field of a wrong type has its default`(field: MessageField) throws {
        let minimal: JSON = ["id": "m2", "deliverAt": "1970-01-01T00:00:00Z"]
        for wrong in [.null, 1.5, [[]], [[:]], ["a": 1]] as [JSONOrDouble] {
            var object = try #require(minimal.objectValue)
            object[field.rawValue] = wrong.json
            let message = try read(.object(object))
            switch (field, wrong.json) {
            // Each element that isn't an action becomes an empty action, so that their count is kept.
            case (.actions, .array): #expect(message.actions == [MessageAction(id: "", text: "")])
            default: #expect(message == Samples.bare, "\(field) = \(wrong.json)")
            }
        }
    }

    @Test(arguments: ["id", "deliverAt"])
    func `a message without id or delivery date is rejected`(field: String) throws {
        var object = try #require(Samples.full.json.objectValue)
        object[field] = nil
        #expect(throws: JSONValueError(pointer: JSONPointer([field]), problem: "is required")) {
            try read(.object(object))
        }
        object[field] = 1
        #expect(throws: JSONValueError(pointer: JSONPointer([field]), problem: "has to be a string")) {
            try read(.object(object))
        }
    }

    @Test func `unknown fields are ignored`() throws {
        var object = try #require(Samples.full.json.objectValue)
        object["invented"] = ["later": true]
        #expect(try read(.object(object)) == Samples.full)
    }

    @Test func `an unknown action type is kept`() throws {
        let json: JSON = [
            "id": "m", "deliverAt": "1970-01-01T00:00:00Z",
            "actions": [["id": "1", "text": "A", "actionType": "hologram"]],
        ]
        let message = try read(json)
        #expect(message.actions.first?.actionType == .other("hologram"))
        #expect(message.json["actions"] == json["actions"])
    }

    @Test(
        arguments: [
            ("", .automatic), ("webBrowser", .webBrowser), ("externalBrowser", .externalBrowser),
            ("WEBBROWSER", .other("WEBBROWSER")),
        ] as [(String, MessageAction.ActionType)]
    )
    func `an action type keeps its spelling`(raw: String, type: MessageAction.ActionType) {
        #expect(MessageAction.ActionType(rawValue: raw) == type)
        #expect(type.rawValue == raw)
    }

    @Test func `additional data that isn't text is left out`() throws {
        let json: JSON = [
            "id": "m", "deliverAt": "1970-01-01T00:00:00Z", "additionalData": ["a": "b", "c": 1, "d": .null],
        ]
        #expect(try read(json).additionalData == ["a": "b"])
    }

    @Test func `media without a URL is nil`() throws {
        let json: JSON = ["id": "m", "deliverAt": "1970-01-01T00:00:00Z", "media": ["alt": "A"]]
        #expect(try read(json).media == nil)
    }
}

/// A literal for a table of arguments: JSON, or the number 1.5, for which ``JSON`` has no literal.
struct JSONOrDouble: ExpressibleByNilLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    let json: JSON
    init(nilLiteral: ()) { json = .null }
    init(floatLiteral value: Double) { json = (try? JSON(parsing: "\(value)".utf8)) ?? .null }
    init(arrayLiteral elements: JSON...) { json = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { json = .object(JSONObject(elements.map { ($0.0, $0.1) })) }
    static let null = JSONOrDouble(nilLiteral: ())
}
