package import Foundation
import Groundwork

/// Writes HTML. What comes from outside can only get in as text or as the value of an attribute, and is escaped there.
package struct HTMLWriter: Sendable {
    /// What was written so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes markup as it stands; a literal, so that nothing from outside gets here.
    package mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes a name of ours, such as that of a class, or what was escaped before.
    mutating func name(_ name: String) {
        var name = name
        name.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Writes rules of ours into a `style` element, where nothing can be escaped.
    package mutating func style(_ css: String) {
        bytes.append(contentsOf: css.utf8.filter { $0 != UInt8(ascii: "<") })
    }

    /// Writes what another writer has.
    package mutating func append(_ other: HTMLWriter) {
        bytes.append(contentsOf: other.bytes)
    }

    /// Writes text.
    package mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { escape($0) }
    }

    /// Writes text whose line breaks are kept.
    package mutating func lines(_ text: String) {
        var text = text
        text.withUTF8 { escape($0, lineBreaks: true) }
    }

    /// Writes an attribute of the tag that was begun.
    package mutating func attribute(_ name: StaticString, _ value: String) {
        bytes.append(UInt8(ascii: " "))
        markup(name)
        markup("=\"")
        text(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a time as RFC 3339 has it, within an attribute.
    package mutating func time(_ date: Date) {
        RFC3339.write(milliseconds: date.milliseconds, to: &bytes)
    }

    /// Writes a number of an attribute or of a text.
    package mutating func number(_ value: Int) {
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Characters that end text or an attribute become references. Control characters, which HTML doesn't have, become U+FFFD.
    ///
    /// - Parameter lineBreaks: Whether a line break is shown as one.
    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>, lineBreaks: Bool = false) {
        // What needs nothing is appended as a whole.
        var begin = 0
        var index = 0
        while index < utf8.count {
            while index + 8 <= utf8.count {
                let usual = EightBytes.first(Self.marks(EightBytes(utf8, at: index)))
                index += usual
                if usual < 8 { break }
            }
            guard index < utf8.count else { break }
            let byte = utf8[index]
            if Self.isSpecial(byte) || lineBreaks && byte == UInt8(ascii: "\n") {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin..<index]))
                begin = index + 1
                switch byte {
                case UInt8(ascii: "&"): markup("&amp;")
                case UInt8(ascii: "<"): markup("&lt;")
                case UInt8(ascii: ">"): markup("&gt;")
                case UInt8(ascii: "\""): markup("&quot;")
                case UInt8(ascii: "'"): markup("&#39;")
                case UInt8(ascii: "\n"): markup("<br>")
                default: markup("\u{FFFD}")
                }
            }
            index += 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[begin...]))
    }

    /// Marks what is special, and line breaks.
    private static func marks(_ bytes: EightBytes) -> EightBytes.Marks {
        // & and ' differ in one bit, and so do < and >.
        bytes.marks(below: 0x20) | bytes.marks(UInt8(ascii: "\"")) | bytes.marks(UInt8(ascii: "&"), ignoring: 1)
            | bytes.marks(UInt8(ascii: "<"), ignoring: 2) | bytes.marks(0x7F)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F: true
        case 0x09, 0x0A, 0x0D: false
        default: byte < 0x20
        }
    }
}
