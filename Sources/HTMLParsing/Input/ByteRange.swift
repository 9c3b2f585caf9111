/// A range of bytes, in 8 bytes of memory.
struct ByteRange: Equatable, Sendable {
    var start: UInt32
    var count: UInt32

    init(start: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    static let empty = ByteRange(start: 0, count: 0)

    var end: Int { Int(start) + Int(count) }

    var indices: Range<Int> { Int(start)..<end }

    var isEmpty: Bool { count == 0 }
}
