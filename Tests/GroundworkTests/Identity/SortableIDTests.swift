import Foundation
import Groundwork
import SeededRandom
import Testing

/// Ids that sort by their creation time.
@Suite(.timeLimit(.minutes(5))) struct SortableIDTests {
    @Test func `later ids sort later`() {
        var generator = Seeded(8)
        let times = (0..<500).map { _ in Int.random(in: 0...4_000_000_000_000, using: &generator) }.sorted()
        let ids = Set(times).sorted().map { SortableID.make(at: Date(milliseconds: $0), random: .system) }
        #expect(ids == ids.sorted())
        #expect(ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test(arguments: [0, 1, 1_777_622_400_000, 253_402_300_799_999, -1])
    func `an id is a valid JMAP id and doesn't look like a number`(milliseconds: Int) {
        let id = SortableID.make(at: Date(milliseconds: milliseconds), random: .system)
        #expect(id.utf8.count == 26)
        #expect(id.first == "m")
        #expect(id.utf8.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".utf8.contains($0) })
    }

    @Test func `ids of the same millisecond differ`() {
        let time = Date(milliseconds: 1_777_622_400_000)
        #expect(Set((0..<1000).map { _ in SortableID.make(at: time, random: .system) }).count == 1000)
    }

    @Test func `an id consists of its time and random characters`() {
        let zeros = RandomSource { 0 }
        #expect(SortableID.make(at: Date(milliseconds: 0), random: zeros) == "m" + String(repeating: "0", count: 25))
        #expect(SortableID.make(at: Date(milliseconds: 33), random: zeros).hasPrefix("m0000000110"))
        #expect(SortableID.make(at: Date(milliseconds: -5), random: zeros) == "m" + String(repeating: "0", count: 25))
    }
}
