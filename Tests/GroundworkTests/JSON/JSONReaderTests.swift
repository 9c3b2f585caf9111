import Foundation
import Groundwork
import Testing

/// Reading values of a document, with errors that name the pointer.
@Suite(.timeLimit(.minutes(5))) struct JSONReaderTests {
    private let reader = JSONReader(
        [
            "text": "ä", "whole": 5, "truth": true, "nothing": .null, "list": [1, "b"], "pairs": ["a": "b"],
            "date": "2026-05-01T08:00:00Z",
        ],
        at: JSONPointer(["root"])
    )

    private func problem(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? JSONValueError)?.description
        }
    }

    @Test func `values of each type are read`() throws {
        #expect(try reader.required("text").string() == "ä")
        #expect(try reader.required("text").string(maxBytes: 2) == "ä")
        #expect(try reader.required("whole").int(in: 5...5) == 5)
        #expect(try reader.required("truth").bool())
        #expect(try reader.required("list").elements().map(\.pointer.description) == ["/root/list/0", "/root/list/1"])
        #expect(try reader.required("pairs").stringPairs() == ["a": "b"])
        #expect(try reader.required("date").date() == Date(timeIntervalSince1970: 1_777_622_400))
    }

    @Test func `a null member counts as absent`() {
        #expect(reader.member("nothing") == nil)
        #expect(reader.member("absent") == nil)
        #expect(problem { _ = try reader.required("nothing") } == "/root/nothing is required")
    }

    @Test func `an error about a wrong value names its pointer`() {
        #expect(problem { _ = try reader.required("whole").string() } == "/root/whole has to be a string")
        #expect(problem { _ = try reader.required("text").string(maxBytes: 1) } == "/root/text has more than 1 bytes")
        #expect(problem { _ = try reader.required("text").bool() } == "/root/text has to be true or false")
        #expect(problem { _ = try reader.required("text").int() } == "/root/text has to be a whole number")
        #expect(problem { _ = try reader.required("whole").int(in: 6...9) } == "/root/whole has to be from 6 to 9")
        #expect(problem { _ = try reader.required("text").object() } == "/root/text has to be an object")
        #expect(problem { _ = try reader.required("text").elements() } == "/root/text has to be an array")
        #expect(problem { _ = try reader.required("list").stringPairs() } == "/root/list has to be an object")
        #expect(
            problem { _ = try reader.required("text").date() }
                == "/root/text has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z"
        )
        #expect(problem { _ = try JSONReader(1).string() } == "the document has to be a string")
    }

    @Test func `an error about a pair whose value isn't a string names the pair`() {
        let reader = JSONReader(["a/b": 1])
        #expect(problem { _ = try reader.stringPairs() } == "/a~1b has to be a string")
    }

    @Test func `an error about an unknown member names it`() {
        let reader = JSONReader(["a": 1, "x": 2])
        #expect(problem { try reader.only(["a", "b"]) } == "/x is not a known field; known are a, b")
        #expect(problem { try reader.only(["a", "x"]) } == nil)
        #expect(problem { try JSONReader([1]).only([]) } == "the document has to be an object")
    }

    @Test func `integers are limited to 53 bits`() {
        let limit = 9_007_199_254_740_991
        #expect(JSONReader.maxInt == limit)
        #expect(problem { _ = try JSONReader(JSON(limit)).int() } == nil)
        #expect(problem { _ = try JSONReader(JSON(-limit)).int() } == nil)
        #expect(
            problem { _ = try JSONReader(JSON(limit + 1)).int() } == "the document has to be from -\(limit) to \(limit)"
        )
    }
}
