/// Names in the order in which they were added, with a table that finds them by their bytes.
///
/// The table is hashed with the process's random seed, so that no text can choose names that collide.
struct NameList: Sendable {
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>] = []
    /// One more than the index of a name, or 0 for an empty slot. The number of slots is a power of two.
    private var slots: [UInt32] = []

    /// The number of names.
    var count: Int { ranges.count }

    /// Returns the index of a name, or nil if it isn't in the list.
    func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !slots.isEmpty else { return nil }
        let place = slots[slot(of: name)]
        return place == 0 ? nil : Int(place) - 1
    }

    /// Adds a name that isn't in the list, and returns its index.
    mutating func append(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        if (ranges.count + 1) * 2 > slots.count { grow() }
        let slot = slot(of: name)
        ranges.append(bytes.count..<(bytes.count + name.count))
        bytes.append(contentsOf: name)
        slots[slot] = UInt32(ranges.count)
        return ranges.count - 1
    }

    /// Calls a function with the bytes of a name.
    func withBytes<Result>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[ranges[index]])) }
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: max(16, slots.count * 2))
        for index in ranges.indices {
            let place = withBytes(of: index) { slot(of: $0) }
            slots[place] = UInt32(index + 1)
        }
    }

    /// The slot of a name, or the empty one that it would have.
    private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != 0, !withBytes(of: Int(slots[slot]) - 1, { $0.elementsEqual(name) }) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
