import Foundation
import Groundwork
import SeededRandom
import Testing

/// JSON through Foundation's encoders and decoders.
@Suite(.timeLimit(.minutes(5))) struct JSONCodableTests {
    @Test func `a random tree survives Foundation's encoder and decoder unchanged`() throws {
        var random = Seeded(6)
        for _ in 0..<200 {
            let json = random.json(depth: 3)
            let data = try JSONEncoder().encode([json])
            #expect(try JSONDecoder().decode([JSON].self, from: data) == [json])
            #expect(try JSON(parsing: data) == .array([json]))
        }
    }

    @Test func `a decoder reads the same values as the scanner`() throws {
        let text = #"{"a":[1,1.5,-2,1e3,true,false,null,"x",{}],"b":{"c":[]}}"#
        let decoded = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        #expect(decoded["a"]?.arrayValue?.compactMap(\.intValue) == [1, -2, 1000])
        #expect(decoded["a"]?.arrayValue?.compactMap(\.boolValue) == [true, false])
        #expect(decoded["a"]?.arrayValue?[6] == .null)
        #expect(decoded["b"] == ["c": []])
    }

    @Test func `text that a decoder could convert to a number stays text`() throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "more",
            negativeInfinity: "less",
            nan: "none"
        )
        #expect(try decoder.decode(JSON.self, from: Data(#"["more","less","none"]"#.utf8)) == ["more", "less", "none"])
    }

    @Test func `encoding a number beyond the range throws instead of changing it`() throws {
        let json = try JSON(parsing: "[1e400]".utf8)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(json) }
    }

    @Test func `a property list holds JSON without nulls`() throws {
        let json: JSON = ["text": "a", "number": 7, "truth": true, "list": [1, "b", false]]
        let data = try PropertyListEncoder().encode(json)
        #expect(try PropertyListDecoder().decode(JSON.self, from: data) == json)
    }
}
