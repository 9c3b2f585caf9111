import Foundation
import Groundwork
import JMAP
import Testing

/// Valid ids (RFC 8620 §1.2).
@Suite(.timeLimit(.minutes(5))) struct IdentifierTests {
    @Test(arguments: ["a", "0", "-", "_", "AZaz09-_", String(repeating: "x", count: 255)])
    func `text of the allowed characters is an id`(text: String) throws {
        #expect(Identifier.isValid(text))
        #expect(try JSONReader(.string(text)).identifier() == text)
    }

    @Test(arguments: [
        "", " ", "a b", "a/b", "a.b", "#a", "ä", "a\u{301}", "a\0", "٣", String(repeating: "x", count: 256),
    ])
    func `other text isn't an id`(text: String) {
        #expect(!Identifier.isValid(text))
        #expect(throws: JSONValueError.self) { try JSONReader(.string(text)).identifier() }
    }

    @Test func `an error about an invalid id names its pointer`() {
        #expect(
            throws: JSONValueError(
                pointer: JSONPointer(["ids", "1"]),
                problem: "has to be an id, 1 to 255 of A-Z a-z 0-9 - _, or # and a creation id"
            )
        ) { try JSONReader(["a", "?"], at: JSONPointer(["ids"])).references([:]) }
    }

    @Test func `sortable ids and tokens are valid ids`() {
        #expect(Identifier.isValid(SortableID.make(at: .distantPast, random: .system)))
        #expect(Identifier.isValid(RandomSource.system.token(length: 32)))
    }
}
