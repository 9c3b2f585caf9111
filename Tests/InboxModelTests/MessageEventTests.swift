import Foundation
import Groundwork
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct MessageEventTests {
    private func read(_ text: String) throws -> MessageEvent {
        try MessageEvent(checking: JSONReader(try JSON(parsing: Array(text.utf8))))
    }

    @Test func `a whole event is the same after JSON`() throws {
        let event = MessageEvent(
            uid: "u-1_A",
            message: "m1",
            type: .clicked,
            action: "buy",
            at: Date(milliseconds: 1_777_622_400_500),
            data: ["text": .string("ä"), "whole": .number(3), "part": .number(-0.25), "flag": .bool(true)],
            reads: false,
            consent: true
        )
        #expect(try MessageEvent(checking: JSONReader(event.json)) == event)
        #expect(try MessageEvent(json: event.json) == event)
        #expect(event.dataJSON.description == #"{"flag":true,"part":-0.25,"text":"ä","whole":3}"#)
    }

    @Test func `event types keep their spelling`() {
        for type in EventType.known { #expect(EventType(rawValue: type.rawValue) == type) }
        #expect(EventType(rawValue: "cart.added") == .other("cart.added"))
        #expect(EventType(rawValue: "Clicked") == .other("Clicked"))
    }

    @Test func `limits of an event hold to the byte`() throws {
        func event(uid: Int = 1, type: Int = 1, action: Int = 1, data: String = "{}") throws -> MessageEvent {
            func text(_ count: Int) -> String { String(repeating: "a", count: count) }
            return try read(
                #"{"uid":"\#(text(uid))","message":"m","type":"\#(text(type))","action":"\#(text(action))","data":\#(data)}"#
            )
        }
        func pairs(_ count: Int) -> String {
            "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        }
        func value(_ count: Int) -> String { #"{"a":"\#(String(repeating: "x", count: count - 8))"}"# }
        _ = try event(uid: 64, type: 64, action: 256, data: pairs(50))
        _ = try event(data: value(4_096))
        #expect(throws: JSONValueError.self) { try event(uid: 65) }
        #expect(throws: JSONValueError.self) { try event(type: 65) }
        #expect(throws: JSONValueError.self) { try event(action: 257) }
        #expect(throws: JSONValueError.self) { try event(data: pairs(51)) }
        #expect(throws: JSONValueError.self) { try event(data: value(4_097)) }
        // The flag of a forced event doesn't count.
        func forced(_ data: String) -> String { data.dropLast() + #","tracking_forced":true}"# }
        _ = try event(data: forced(pairs(50)))
        _ = try event(data: forced(value(4_096)))
        #expect(throws: JSONValueError.self) { try event(data: forced(pairs(51))) }
        #expect(throws: JSONValueError.self) { try event(data: forced(value(4_097))) }
    }

    @Test func `null members count as absent`() throws {
        let event = try read(
            #"{"uid":"u","message":"m","type":"opened","action":null,"at":null,"reads":null,"data":{"a":null}}"#
        )
        #expect(event == MessageEvent(uid: "u", message: "m", type: .opened))
    }

    @Test func `a lenient reader ignores unknown members`() throws {
        let text = #"""
            {"uid":"u","message":"m","type":"new.kind","action":7,"at":"yesterday","data":{"a":[1],"b":2},"reads":0,"extra":{}}
            """#
        let event = try MessageEvent(json: JSON(parsing: Array(text.utf8)))
        #expect(event == MessageEvent(uid: "u", message: "m", type: .other("new.kind"), data: ["b": .number(2)]))
        #expect(throws: JSONValueError.self) { try MessageEvent(json: ["uid": "u", "type": "opened"]) }
    }

    @Test func `the reads flag is left out when true`() {
        #expect(MessageEvent(uid: "u", message: "m", type: .clicked).json["reads"] == nil)
        #expect(MessageEvent(uid: "u", message: "m", type: .clicked, reads: false).json["reads"] == false)
    }

    @Test func `a number that isn't finite is left out`() {
        let event = MessageEvent(
            uid: "u",
            message: "m",
            type: .opened,
            data: ["a": .number(.infinity), "b": .number(1)]
        )
        #expect(event.dataJSON["b"] == 1)
        #expect(event.dataJSON["a"] == nil)
    }
}
