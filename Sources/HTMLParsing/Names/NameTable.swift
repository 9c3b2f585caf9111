/// The names of one tree: the known ones, and those that its text added.
///
/// Each name has one id, so that names are compared as integers. The table of added names is hashed with the process's
/// random seed, so that no text can choose names that collide.
struct NameTable: Sendable {
    private let known = KnownNames.shared
    private var bytes: [UInt8] = []
    private var ranges: [ByteRange] = []
    /// One more than the index of an added name, or 0 for an empty slot. The number of slots is a power of two.
    private var slots: [UInt32] = []

    /// Returns the id of a name, and adds the name if it is new. At least eight bytes can be read from `start`.
    mutating func intern(_ start: UnsafePointer<UInt8>, count: Int) -> UInt32 {
        known.id(start, count: count) ?? added(UnsafeBufferPointer(start: start, count: count))
    }

    /// The number of ids that are in use.
    var count: Int { KnownNames.count + ranges.count }

    /// The bytes of a name.
    func withBytes<Result>(of id: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard Int(id) >= KnownNames.count else { return body(known.bytes(of: id)) }
        let range = ranges[Int(id) - KnownNames.count]
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range.indices])) }
    }

    private mutating func added(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if (ranges.count + 1) * 2 > slots.count { grow() }
        var slot = Self.hash(name) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if bytes[ranges[index].indices].elementsEqual(name) { return UInt32(KnownNames.count + index) }
            slot = (slot + 1) & (slots.count - 1)
        }
        ranges.append(ByteRange(start: bytes.count, count: name.count))
        bytes.append(contentsOf: name)
        slots[slot] = UInt32(ranges.count)
        return UInt32(KnownNames.count + ranges.count - 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: max(16, slots.count * 2))
        for (index, range) in ranges.enumerated() {
            var slot = bytes.withUnsafeBufferPointer { Self.hash(UnsafeBufferPointer(rebasing: $0[range.indices])) }
            slot &= slots.count - 1
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index + 1)
        }
    }

    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        return hasher.finalize()
    }
}
