import Groundwork
import Testing

/// Syntax errors: each reason, and the byte at which it is found.
@Suite(.timeLimit(.minutes(5))) struct JSONSyntaxErrorTests {
    @Test(
        arguments: [
            ("", .endOfText, 0), ("  ", .endOfText, 2), ("nul", .endOfText, 3), ("[1", .endOfText, 2),
            ("[1,", .endOfText, 3),
            (#"{"a""#, .endOfText, 4), (#"{"a":"#, .endOfText, 5), (#"{"a":1"#, .endOfText, 6),
            (#""abc"#, .endOfText, 4),
            (#""\"#, .endOfText, 1), (#""\u00"#, .endOfText, 1), ("-", .endOfText, 1), ("1.", .endOfText, 2),
            ("1e", .endOfText, 2), ("1e+", .endOfText, 3),
            ("x", .unexpectedByte, 0), ("nulx", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
            ("[,1]", .unexpectedByte, 1), ("[1,]", .unexpectedByte, 3), (#"{"a" 1}"#, .unexpectedByte, 5),
            (#"{"a":1 "b":2}"#, .unexpectedByte, 7), ("[1}", .unexpectedByte, 2), ("'a'", .unexpectedByte, 0),
            ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0),
            ("[01]", .unexpectedByte, 2),
            ("{a:1}", .nameExpected, 1), ("{1:1}", .nameExpected, 1), (#"{"a":1,}"#, .nameExpected, 7),
            ("{,}", .nameExpected, 1),
            ("\"a\nb\"", .controlCharacter, 2), ("\"\u{0}\"", .controlCharacter, 1),
            ("\"\u{1F}\"", .controlCharacter, 1),
            ("-x", .malformedNumber, 1), ("1.x", .malformedNumber, 2), ("[1.]", .malformedNumber, 3),
            ("1ex", .malformedNumber, 2),
            ("[-]", .malformedNumber, 2), ("1.e3", .malformedNumber, 2),
            (#""\x""#, .malformedEscape, 1), (#""\u12G4""#, .malformedEscape, 1), (#""ab\U0041""#, .malformedEscape, 3),
            (#""\ud83d\u12G4""#, .malformedEscape, 7),
            ("1 2", .trailingText, 2), ("{}{}", .trailingText, 2), ("truefalse", .trailingText, 4),
            ("01", .trailingText, 1),
            ("[]]", .trailingText, 2),
            ("\u{FEFF}{}", .byteOrderMark, 0), ("\u{FEFF}[]", .byteOrderMark, 0), ("\u{FEFF}1", .byteOrderMark, 0),
            (" \u{FEFF}{}", .unexpectedByte, 1), ("{}\u{FEFF}", .trailingText, 2),
        ] as [(String, JSONSyntaxError.Reason, Int)]
    )
    func `invalid JSON is rejected at the byte of the error`(
        text: String,
        reason: JSONSyntaxError.Reason,
        offset: Int
    ) {
        let error = JSONSyntaxError(reason: reason, offset: offset)
        #expect(throws: error) { try JSON(parsing: text.utf8) }
        #expect(throws: error) { try JSONText(checking: Array(text.utf8)) }
    }

    @Test(arguments: [
        (#""\ud800""#, 1), (#""\udbff""#, 1), (#""\udc00""#, 1), (#""\uDFFF""#, 1), (#""ab\ud800x""#, 3),
        (#""\ud800\n""#, 1), (#""\ud800\ud800""#, 1), (#""\ud800\u0041""#, 1), (#""\udc00\ud800""#, 1),
        (#""\ud83d\ude00\ude00""#, 13),
    ])
    func `a lone surrogate is rejected at its first byte`(text: String, offset: Int) {
        let error = JSONSyntaxError(reason: .loneSurrogate, offset: offset)
        #expect(throws: error) { try JSON(parsing: text.utf8) }
        #expect(throws: error) { try JSONText(checking: Array(text.utf8)) }
    }

    @Test(arguments: [2, 15, 16, 17, 200])
    func `a repeated name is rejected`(count: Int) {
        let members = (0..<(count - 1)).map { #""name\#($0)":\#($0)"# }
        for repeated in [0, count - 2] {
            let text = "{" + members.joined(separator: ",") + #","name\#(repeated)":0}"#
            let offset = text.utf8.count - "\"name\(repeated)\":0}".utf8.count + 1
            #expect(throws: JSONSyntaxError(reason: .repeatedName, offset: offset)) { try JSON(parsing: text.utf8) }
        }
    }

    @Test func `a name repeated with an escape is rejected`() {
        #expect(throws: JSONSyntaxError(reason: .repeatedName, offset: 8)) {
            try JSON(parsing: #"{"a":1,"\u0061":2}"#.utf8)
        }
    }

    @Test func `composed and decomposed names are two names`() throws {
        let json = try JSON(parsing: #"{"\u00e9":1,"e\u0301":2}"#.utf8)
        #expect(json["\u{E9}"] == 1)
        #expect(json["e\u{301}"] == 2)
    }

    @Test func `two objects can have the same member name`() throws {
        #expect(try JSON(parsing: #"[{"a":1},{"a":{"a":2}}]"#.utf8).arrayValue?.count == 2)
    }

    @Test func `the error of a byte order mark says to send the text without it`() {
        #expect(
            JSONSyntaxError(reason: .byteOrderMark, offset: 0).description
                == "the text has to be sent without its byte order mark (U+FEFF), at byte 0"
        )
    }

    @Test func `an error's description gives the byte and never the text`() {
        let error = JSONSyntaxError(reason: .endOfText, offset: 18)
        #expect(throws: error) { try JSON(parsing: #"{"secret":"hunter2"#.utf8) }
        #expect(error.description == "the text ends unexpectedly, at byte 18")
    }
}
