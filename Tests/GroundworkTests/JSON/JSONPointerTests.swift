import Groundwork
import SeededRandom
import Testing

/// JSON pointers as text and as tokens (RFC 6901).
@Suite(.timeLimit(.minutes(5))) struct JSONPointerTests {
    /// The examples of RFC 6901 §5, and the escapes of §4.
    @Test(
        arguments: [
            ("", []), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/", [""]), ("/a~1b", ["a/b"]), ("/c%d", ["c%d"]),
            ("/e^f", ["e^f"]), ("/g|h", ["g|h"]), (#"/i\j"#, [#"i\j"#]), (#"/k"l"#, [#"k"l"#]), ("/ ", [" "]),
            ("/m~0n", ["m~n"]), ("/~01", ["~1"]), ("/~10", ["/0"]), ("//", ["", ""]), ("/a//b", ["a", "", "b"]),
            ("/ä€😀", ["ä€😀"]),
        ] as [(String, [String])]
    )
    func `a pointer's text is parsed and written unchanged`(text: String, tokens: [String]) throws {
        let pointer = try #require(JSONPointer(parsing: text))
        #expect(pointer.tokens == tokens)
        #expect(pointer.description == text)
    }

    @Test(arguments: ["foo", "foo/", "~0", "/~", "/a~", "/~2", "/a~b", "/~~0", "#/foo"])
    func `malformed text isn't a pointer`(text: String) {
        #expect(JSONPointer(parsing: text) == nil)
    }

    @Test func `a combining mark after a separator or escape stays a scalar of its own`() throws {
        let slash = try #require(JSONPointer(parsing: "/\u{301}/a/\u{301}b"))
        #expect(slash.tokens.map { Array($0.unicodeScalars) } == [["\u{301}"], ["a"], ["\u{301}", "b"]])
        #expect(slash.description.unicodeScalars.elementsEqual("/\u{301}/a/\u{301}b".unicodeScalars))

        let tilde = try #require(JSONPointer(parsing: "/~0\u{301}~1\u{301}"))
        #expect(tilde.tokens.count == 1)
        #expect(tilde.tokens[0].unicodeScalars.elementsEqual("~\u{301}/\u{301}".unicodeScalars))
        #expect(tilde.description.unicodeScalars.elementsEqual("/~0\u{301}~1\u{301}".unicodeScalars))
        #expect(JSONPointer(parsing: "/~\u{301}0") == nil)
    }

    @Test func `the slash operator appends tokens`() {
        let pointer = JSONPointer() / "message" / "a/b" / 3
        #expect(pointer.tokens == ["message", "a/b", "3"])
        #expect(pointer.description == "/message/a~1b/3")
    }

    @Test func `every token list is the same after it is written and parsed`() {
        var random = Seeded(5)
        for _ in 0..<500 {
            let tokens = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        "~/01a\u{301}😀".unicodeScalars.map(Character.init).randomElement(using: &random)!
                    }
                )
            }
            #expect(JSONPointer(parsing: JSONPointer(tokens).description)?.tokens == tokens)
        }
    }
}
