package import Foundation
import Groundwork

/// Writes HTML. What comes from outside can only get in as text or as the value of an attribute, and is escaped there.
///
/// Its memory is its own alone: it can't be copied.
package struct HTMLWriter: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes were written so far.
    package private(set) var count = 0

    package init(capacity: Int = 0) {
        self.capacity = max(capacity, 64)
        memory = .allocate(capacity: self.capacity)
    }

    deinit { memory.deallocate() }

    /// What was written so far, in UTF-8.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Writes markup as it stands; a literal, so that nothing from outside gets here.
    @inline(__always)
    package mutating func markup(_ text: StaticString) {
        write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a name of ours, such as that of a class, or what was escaped before.
    mutating func name(_ name: String) {
        if name.utf8.withContiguousStorageIfAvailable({ write($0) }) == nil {
            Array(name.utf8).withUnsafeBufferPointer { write($0) }
        }
    }

    /// Writes rules of ours into a `style` element, where nothing can be escaped.
    package mutating func style(_ css: String) {
        css.utf8.filter { $0 != UInt8(ascii: "<") }.withUnsafeBufferPointer { write($0) }
    }

    /// Writes what another writer has.
    package mutating func append(_ other: borrowing HTMLWriter) {
        write(UnsafeBufferPointer(start: other.memory, count: other.count))
    }

    /// Writes text.
    package mutating func text(_ text: String) {
        escape(text, lineBreaks: false)
    }

    /// Writes text whose line breaks are kept.
    package mutating func lines(_ text: String) {
        escape(text, lineBreaks: true)
    }

    /// Writes an attribute of the tag that was begun.
    package mutating func attribute(_ name: StaticString, _ value: String) {
        markup(" ")
        markup(name)
        markup("=\"")
        text(value)
        markup("\"")
    }

    /// Writes a time as RFC 3339 has it, within an attribute.
    package mutating func time(_ date: Date) {
        count += RFC3339.put(milliseconds: date.milliseconds, at: room(for: RFC3339.longest))
    }

    /// Writes a number of an attribute or of a text.
    package mutating func number(_ value: Int) {
        name(String(value))
    }

    @inline(__always)
    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        room(for: bytes.count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Where the next bytes belong.
    @inline(__always)
    private mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < more { grow(by: more) }
        return memory + count
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }

    /// Characters that end text or an attribute become references. Control characters, which HTML doesn't have, become
    /// U+FFFD.
    ///
    /// - Parameter lineBreaks: Whether a line break is shown as one.
    private mutating func escape(_ text: String, lineBreaks: Bool) {
        let utf8 = text.utf8
        if utf8.withContiguousStorageIfAvailable({ escape($0, lineBreaks: lineBreaks) }) == nil {
            Array(utf8).withUnsafeBufferPointer { escape($0, lineBreaks: lineBreaks) }
        }
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>, lineBreaks: Bool) {
        var index = 0
        while true {
            let usual = HTMLEscaping.copyUsual(utf8, from: index, to: room(for: utf8.count - index))
            count += usual
            index += usual
            guard index < utf8.count else { return }
            switch utf8[index] {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            case UInt8(ascii: "\n") where lineBreaks: markup("<br>")
            case UInt8(ascii: "\n"): markup("\n")
            case UInt8(ascii: "\r"): markup("\r")
            case UInt8(ascii: "\t"): markup("\t")
            default: markup("\u{FFFD}")
            }
            index += 1
        }
    }
}
