import JMAP

/// Checks that an event stream yields the same events however its bytes are split. The first byte is the size of the
/// parts.
struct EventStreamFuzzTarget: FuzzTarget {
    func process(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let stream = bytes.dropFirst()
        var whole = EventStreamParser(limit: 4_096)
        let expected = try? whole.parse(stream)
        var cut = EventStreamParser(limit: 4_096)
        let size = Int(first % 31) + 1
        var found: [EventStreamEvent] = []
        var isTooLarge = false
        var rest = stream[...]
        while !rest.isEmpty, !isTooLarge {
            do {
                found += try cut.parse(rest.prefix(size))
            } catch {
                isTooLarge = true
            }
            rest = rest.dropFirst(size)
        }
        check(isTooLarge == (expected == nil), "the size check depends on the cuts")
        if let expected { check(found == expected, "cut at \(size), the events differ") }
    }
}
