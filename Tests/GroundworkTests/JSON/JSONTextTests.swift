import Groundwork
import SeededRandom
import Testing

/// Unparsed JSON: its parts, parsed separately, equal the parts of the parsed whole.
@Suite(.timeLimit(.minutes(5))) struct JSONTextTests {
    private func agrees(_ text: JSONText, with json: JSON) {
        #expect(text.value == json)
        #expect((try? JSON(parsing: text.bytes)) == json)
        #expect(text.withBytes { Array($0) } == Array(text.bytes))
        switch json {
        case .array(let elements):
            #expect(text.members == nil)
            let parts = text.elements ?? []
            #expect(parts.count == elements.count)
            for (part, element) in zip(parts, elements) { agrees(part, with: element) }
        case .object(let object):
            #expect(text.elements == nil)
            let parts = text.members ?? []
            #expect(parts.map(\.name) == object.names)
            for (part, member) in zip(parts, object.members) { agrees(part.value, with: member.value) }
        default:
            #expect(text.elements == nil)
            #expect(text.members == nil)
        }
    }

    @Test func `parts of a random text equal the parts of its tree`() throws {
        var random = Seeded(4)
        for _ in 0..<200 {
            let json = random.json(depth: 4)
            agrees(try JSONText(checking: json.utf8), with: json)
        }
    }

    @Test func `white space around a part is left out`() throws {
        let text = try JSONText(checking: Array(" { \"a\" : [ 1 ,\t{ } ] } ".utf8))
        #expect(String(decoding: text.bytes, as: UTF8.self) == "{ \"a\" : [ 1 ,\t{ } ] }")
        let elements = try #require(text["a"]?.elements)
        #expect(elements.map { String(decoding: $0.bytes, as: UTF8.self) } == ["1", "{ }"])
        #expect(text["b"] == nil)
    }

    @Test func `deep text is read to the depth limit of its check`() throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: JSONSyntaxError(reason: .tooDeep(limit: 64), offset: 65)) {
            try JSONText(checking: Array(deep.utf8))
        }
        let text = try JSONText(checking: Array(deep.utf8), depthLimit: 100)
        #expect(text.value.description == deep)
        #expect(text.elements?.first?.value.description.count == 198)
    }

    @Test func `of a repeated name, the first member is found and the value is null`() throws {
        let text = try JSONText(checking: Array(#"{"a":{"b":1,"b":2},"c":3}"#.utf8))
        #expect(text["a"]?["b"]?.value == 1)
        #expect(text["a"]?.members?.count == 2)
        #expect(text["a"]?.value == .null)
        #expect(text["c"]?.value == 3)
    }

    @Test func `names are compared by bytes`() throws {
        let text = try JSONText(checking: Array(#"{"e\u0301":1,"\u00e9":2}"#.utf8))
        #expect(text["\u{E9}"]?.value == 2)
        #expect(text["e\u{301}"]?.value == 1)
    }
}
