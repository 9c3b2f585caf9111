import Groundwork
import SeededRandom
import Testing

/// Parsing JSON text into a tree, and writing it.
@Suite(.timeLimit(.minutes(5))) struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-1.5", "1e3", "1E+3", "1.25e-2", #""""#, #""text""#, "[]",
        "[1,[2,[]]]",
        "{}", #"{"a":1,"b":{"c":[null,true]}}"#, #""ä€😀""#,
        #""quote\" slash\\ line\n return\r tab\t null\u0000 unit\u001f""#,
    ])
    func `compact text is the same after it is read and written`(text: String) throws {
        #expect(try JSON(parsing: text.utf8).description == text)
    }

    @Test func `white space between tokens is dropped`() throws {
        let text = " \t\r\n{ \"a\" : [ 1 , 2 ] ,\n\"b\" : { } } \n"
        #expect(try JSON(parsing: text.utf8).description == #"{"a":[1,2],"b":{}}"#)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e4\u20AC""#, "Aä€"),
        (#""\ud83d\ude00""#, "😀"),
        (#""x\uD83D\uDE00y\uDBFF\uDFFDz""#, "x😀y\u{10FFFD}z"),
        (#""\u0000""#, "\0"),
        (#""\\u0041""#, "\\u0041"),
    ])
    func `escapes are resolved`(text: String, value: String) throws {
        #expect(try JSON(parsing: text.utf8) == .string(value))
    }

    @Test func `members keep their order`() throws {
        let json = try JSON(parsing: #"{"z":1,"a":2,"m":3}"#.utf8)
        #expect(json.objectValue?.names == ["z", "a", "m"])
    }

    @Test func `a random tree is the same after it is written and read`() throws {
        var random = Seeded(1)
        for _ in 0..<300 {
            let json = random.json(depth: 4)
            let read = try JSON(parsing: json.utf8)
            #expect(read == json)
            #expect(read.description == json.description)
        }
    }

    /// Also beside bytes that differ from those that need one in a bit.
    @Test func `a character that needs an escape has one at each place of a string`() {
        let escapes = [
            ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\0", #"\u0000"#), ("\u{1F}", #"\u001f"#),
        ]
        for filling in ["a", " ", "!", "#", "[", "]", "\u{7F}", "\u{A2}", "\u{9F}", "\u{DC}", "😀"] {
            for (before, after) in (0..<18).flatMap({ before in (0..<10).map { (before, $0) } }) {
                let (start, end) = (String(repeating: filling, count: before), String(repeating: filling, count: after))
                #expect(JSON.string(start + end).description == "\"\(start)\(end)\"")
                for (character, escape) in escapes {
                    let text = JSON.string(start + character + end).description
                    #expect(text == "\"\(start)\(escape)\(end)\"")
                }
            }
        }
    }

    @Test func `every kind of byte collection is read`() throws {
        let bytes = Array("[1]".utf8)
        #expect(try JSON(parsing: bytes) == [1])
        #expect(try JSON(parsing: bytes[0...]) == [1])
        #expect(try JSON(parsing: Array(bytes.reversed()).reversed()) == [1])
    }

    @Test func `nesting is read up to the limit and rejected beyond it`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        }
        #expect(throws: Never.self) { try JSON(parsing: nested(64).utf8) }
        #expect(throws: JSONSyntaxError(reason: .tooDeep(limit: 64), offset: 193)) {
            try JSON(parsing: nested(66).utf8)
        }
        #expect(throws: Never.self) { try JSON(parsing: nested(100).utf8, depthLimit: 100) }
        #expect(throws: JSONSyntaxError(reason: .tooDeep(limit: 1), offset: 2)) {
            try JSON(parsing: "[[]]".utf8, depthLimit: 1)
        }
    }

    @Test func `siblings don't count as depth`() throws {
        let text = "[" + String(repeating: "[],", count: 1000) + "{}]"
        #expect(try JSON(parsing: text.utf8).arrayValue?.count == 1001)
    }

    @Test func `hostile nesting throws instead of crashing`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONSyntaxError(reason: .tooDeep(limit: 64), offset: 65)) { try JSON(parsing: bytes) }
    }

    @Test func `literals build the values they show`() {
        let json: JSON = ["text": "a", "number": 1, "truth": true, "nothing": .null, "list": [1, "b"]]
        #expect(json.description == #"{"text":"a","number":1,"truth":true,"nothing":null,"list":[1,"b"]}"#)
        #expect(json["text"]?.stringValue == "a")
        #expect(json["number"]?.intValue == 1)
        #expect(json["truth"]?.boolValue == true)
        #expect(json["nothing"] == .null)
        #expect(json["list"]?.arrayValue?.count == 2)
        #expect(json["absent"] == nil)
        #expect(JSON.string("a")["text"] == nil)
    }

    @Test(arguments: Array(UInt8(0)..<0x80))
    func `quotes, backslashes and control characters are found at every offset`(byte: UInt8) throws {
        for length in 1...20 {
            for place in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                text[place] = byte
                let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
                if byte < 0x20 {
                    let error = JSONSyntaxError(reason: .controlCharacter, offset: place + 1)
                    #expect(throws: error) { try JSON(parsing: quoted) }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: quoted) }
                } else {
                    #expect(try JSON(parsing: quoted) == .string(String(decoding: text, as: UTF8.self)))
                }
            }
        }
    }
}
