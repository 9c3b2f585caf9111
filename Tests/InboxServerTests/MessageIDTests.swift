import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct MessageIDTests {
    @Test func `an id's text parses to the same id and sorts like its number`() throws {
        let clock = ManualClock()
        var last = 0
        var texts: [String] = []
        for _ in 0..<2_000 {
            let id = MessageID(after: last, at: clock.now, random: .system)
            #expect(id.rawValue > last)
            #expect(MessageID(id.text) == id)
            texts.append(id.text)
            last = id.rawValue
        }
        #expect(texts == texts.sorted())
        #expect(MessageID(MessageID(rawValue: Int.max).text) == MessageID(rawValue: Int.max))
    }

    @Test func `ids of servers that share a database never collide, with any clocks`() {
        let clock = ManualClock()
        var all: Set<Int> = []
        for node in [0, 1, 254, 255] {
            var last = 0
            for number in 0..<40_000 {
                // Many in a millisecond, and a clock that is set back.
                let time = clock.now.addingTimeInterval(number == 20_000 ? -60 : Double(number / 15_000) * 0.001)
                let id = MessageID(after: last, at: time, node: node, random: .system)
                #expect(id.rawValue > last)
                #expect(id.rawValue >> 13 & 255 == node)
                all.insert(id.rawValue)
                last = id.rawValue
            }
        }
        #expect(all.count == 4 * 40_000)
    }

    @Test(arguments: [
        "", "m", "m000000000000", "m00000000000000", "M0000000000000", "m000000000000U", "mzzzzzzzzzzzzz",
        "mé00000000000",
    ])
    func `an invalid id is nil`(_ text: String) {
        #expect(MessageID(text) == nil)
    }
}
