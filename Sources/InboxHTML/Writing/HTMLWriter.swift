package import Foundation
import Groundwork

/// A writer of HTML. External content can be written only as text or as an attribute's value, and is escaped.
///
/// It owns its memory and can't be copied.
package struct HTMLWriter: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes written.
    package private(set) var count = 0

    package init(capacity: Int = 0) {
        self.capacity = max(capacity, 64)
        memory = .allocate(capacity: self.capacity)
    }

    deinit { memory.deallocate() }

    /// The written bytes, in UTF-8.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Writes markup verbatim. It is a literal, so it can't contain external content.
    package mutating func markup(_ text: StaticString) {
        write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a predefined name, such as that of a class, or a text that is already escaped.
    mutating func name(_ name: String) {
        if name.utf8.withContiguousStorageIfAvailable({ write($0) }) == nil {
            Array(name.utf8).withUnsafeBufferPointer { write($0) }
        }
    }

    /// Writes generated style rules into a `style` element, in which escaping isn't possible.
    package mutating func style(_ css: String) {
        css.utf8.filter { $0 != UInt8(ascii: "<") }.withUnsafeBufferPointer { write($0) }
    }

    /// Writes the content of another writer.
    package mutating func append(_ other: borrowing HTMLWriter) {
        write(UnsafeBufferPointer(start: other.memory, count: other.count))
    }

    /// Writes text.
    package mutating func text(_ text: String) {
        escape(text, lineBreaks: false)
    }

    /// Writes text and preserves its line breaks.
    package mutating func lines(_ text: String) {
        escape(text, lineBreaks: true)
    }

    /// Writes an attribute of the current tag.
    package mutating func attribute(_ name: StaticString, _ value: String) {
        markup(" ")
        markup(name)
        markup("=\"")
        text(value)
        markup("\"")
    }

    /// Writes a time in the format of RFC 3339, within an attribute.
    package mutating func time(_ date: Date) {
        name(RFC3339.string(from: date))
    }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(for: bytes.count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Returns the memory for the next bytes.
    private mutating func reserve(for more: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < more { grow(by: more) }
        return memory + count
    }

    private mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }

    /// Writes text with characters that end text or an attribute as references. Control characters, which HTML doesn't
    /// allow, become U+FFFD.
    ///
    /// - Parameter lineBreaks: Whether line breaks become `<br>`.
    private mutating func escape(_ text: String, lineBreaks: Bool) {
        let utf8 = text.utf8
        if utf8.withContiguousStorageIfAvailable({ escape($0, lineBreaks: lineBreaks) }) == nil {
            Array(utf8).withUnsafeBufferPointer { escape($0, lineBreaks: lineBreaks) }
        }
    }

    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>, lineBreaks: Bool) {
        var index = 0
        while true {
            let copied = HTMLEscaping.copyUnescaped(utf8, from: index, to: reserve(for: utf8.count - index))
            count += copied
            index += copied
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
