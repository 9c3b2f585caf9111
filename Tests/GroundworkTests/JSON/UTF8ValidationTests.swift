import Groundwork
import SeededRandom
import Testing

/// UTF-8 validation, with the results of Swift's strict decoder.
@Suite(.timeLimit(.minutes(5))) struct UTF8ValidationTests {
    private func firstError(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer(UTF8Validation.firstError)
    }

    @Test(arguments: [
        "", "a", "12345678", "1234567ä", "ä€😀", "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10FFFF}",
    ])
    func `well-formed text is valid`(text: String) {
        #expect(firstError(Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("a continuation alone", [0x80]), ("the last continuation alone", [0xBF]),
            ("two bytes cut short", [0xC3]), ("three bytes cut short", [0xE2, 0x82]),
            ("four bytes cut short", [0xF0, 0x9F, 0x98]),
            ("a letter instead of a continuation", [0xC3, 0x41]), ("a letter as third byte", [0xE2, 0x82, 0x41]),
            ("a letter as fourth byte", [0xF0, 0x9F, 0x98, 0x41]),
            ("an overlong slash in two bytes", [0xC0, 0xAF]), ("an overlong letter in two bytes", [0xC1, 0x81]),
            ("an overlong form in three bytes", [0xE0, 0x9F, 0xBF]),
            ("an overlong form in four bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
            ("a high surrogate", [0xED, 0xA0, 0x80]), ("a low surrogate", [0xED, 0xBF, 0xBF]),
            ("past U+10FFFF", [0xF4, 0x90, 0x80, 0x80]), ("a lead past all", [0xF5, 0x80, 0x80, 0x80]),
            ("FE", [0xFE]), ("FF", [0xFF]),
        ] as [(String, [UInt8])]
    )
    func `malformed bytes are found at their first byte`(name: String, bytes: [UInt8]) {
        for before in ["", "a", "1234567", "12345678", "123456789", "ä€😀"] {
            let text = Array(before.utf8)
            #expect(firstError(text + bytes) == text.count, "\(name) after \(before)")
            #expect(firstError(text + bytes + Array("12345678".utf8)) == text.count, "\(name) between")
        }
    }

    @Test func `random bytes are judged as Swift's decoder does`() {
        var random = Seeded(2)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ -> UInt8 in
                let borders: [UInt8] = [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF4]
                let any = UInt8.random(in: 0...255, using: &random)
                return Int.random(in: 0...3, using: &random) == 0 ? any : borders.randomElement(using: &random) ?? any
            }
            #expect((firstError(bytes) == nil) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }

    @Test func `JSON that isn't UTF-8 is rejected at the malformed byte`() {
        let string: [UInt8] = [0x22, 0xC0, 0xAF, 0x22]
        #expect(throws: JSONSyntaxError(reason: .notUTF8, offset: 1)) { try JSON(parsing: string) }
        let list: [UInt8] = [0x5B, 0x22, 0xFF, 0x22, 0x5D]
        #expect(throws: JSONSyntaxError(reason: .notUTF8, offset: 2)) { try JSONText(checking: list) }
    }
}
