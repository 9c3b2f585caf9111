import InboxCards
import Testing

@Suite(.timeLimit(.minutes(5))) struct CardColorTests {
    @Test(arguments: [
        ("#102030", [0x10, 0x20, 0x30, 0xFF]), ("0x102030", [0x10, 0x20, 0x30, 0xFF]),
        ("102030", [0x10, 0x20, 0x30, 0xFF]), ("#10203040", [0x10, 0x20, 0x30, 0x40]),
        ("ABCDEF80", [0xAB, 0xCD, 0xEF, 0x80]), ("0XFFFFFFff", [0xFF, 0xFF, 0xFF, 0xFF]),
        ("", [0, 0, 0, 0xFF]), ("#123", [0, 0, 0, 0xFF]), ("#+12345", [0, 0, 0, 0xFF]), ("red", [0, 0, 0, 0xFF]),
        ("#1234567", [0, 0, 0, 0xFF]), ("##123456", [0, 0, 0, 0xFF]),
    ])
    func `a colour is parsed as Adobe parses it`(_ text: String, _ parts: [UInt8]) {
        let color = CardColor.RGBA(text: text)
        #expect([color.red, color.green, color.blue, color.alpha] == parts)
    }
}
