/// The names that the parser knows, with a table that finds them by their bytes.
struct KnownNames: Sendable {
    static let shared = KnownNames()

    private struct Entry {
        let key: Key
        let id: UInt32
    }

    /// The first and the last eight bytes of a name and its length. They identify a name of up to 16 bytes.
    private struct Key: Equatable {
        let first: UInt64
        let last: UInt64
        let count: Int

        init(_ start: UnsafePointer<UInt8>, count: Int) {
            let raw = UnsafeRawPointer(start)
            self.count = count
            if count >= 8 {
                first = raw.loadUnaligned(as: UInt64.self)
                last = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            } else {
                first = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)) & (1 << UInt64(count * 8) &- 1)
                last = 0
            }
        }

        var slot: Int {
            let mixed = (first ^ (last << 23 | last >> 41) ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: mixed >> 53)
        }
    }

    private static let slotCount = 2048

    private let entries: [Entry]
    /// One more than the index of an entry, or 0 for an empty slot.
    private let slots: [UInt16]
    private let starts: [UInt16]

    private init() {
        let text = Self.text.utf8Start
        var entries: [Entry] = []
        var slots = [UInt16](repeating: 0, count: Self.slotCount)
        var starts: [UInt16] = []
        var start = 0
        for index in 0..<Self.text.utf8CodeUnitCount where text[index] == UInt8(ascii: " ") {
            var padded = [UInt8](UnsafeBufferPointer(start: text + start, count: index - start))
            padded.append(contentsOf: repeatElement(0, count: 8))
            let key = padded.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { Key($0, count: index - start) }
            }
            starts.append(UInt16(start))
            start = index + 1
            guard let key else { continue }
            var slot = key.slot
            while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
            entries.append(Entry(key: key, id: UInt32(entries.count)))
            slots[slot] = UInt16(entries.count)
        }
        starts.append(UInt16(start))
        self.entries = entries
        self.slots = slots
        self.starts = starts
    }

    /// Returns the id of a name, or nil if it isn't known. At least eight bytes can be read from `start`.
    func id(_ start: UnsafePointer<UInt8>, count: Int) -> UInt32? {
        let key = Key(start, count: count)
        var slot = key.slot
        while slots[slot] != 0 {
            let entry = entries[Int(slots[slot]) - 1]
            if entry.key == key, count <= 16 || isName(entry.id, start, count: count) { return entry.id }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return nil
    }

    /// The bytes of a known name.
    func bytes(of id: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = Int(starts[Int(id)])
        return UnsafeBufferPointer(start: Self.text.utf8Start + start, count: Int(starts[Int(id) + 1]) - 1 - start)
    }

    /// Returns the id of a name, or nil if it isn't known.
    static func id(of name: [UInt8]) -> UInt32? {
        (name + repeatElement(0, count: 8)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { shared.id($0, count: name.count) }
        }
    }

    private func isName(_ id: UInt32, _ start: UnsafePointer<UInt8>, count: Int) -> Bool {
        bytes(of: id).elementsEqual(UnsafeBufferPointer(start: start, count: count))
    }
}
