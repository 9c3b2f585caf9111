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
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
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
        escape(text)
    }

    /// Writes text whose line breaks are kept.
    package mutating func lines(_ text: String) {
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            escape(Substring(rest[..<end]))
            markup("<br>")
            rest = rest[rest.index(after: end)...]
        }
        escape(Substring(rest))
    }

    /// Writes an attribute of the tag that was begun.
    package mutating func attribute(_ name: StaticString, _ value: String) {
        bytes.append(UInt8(ascii: " "))
        markup(name)
        markup("=\"")
        escape(value)
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
    private mutating func escape(_ text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { utf8 in
            // What needs nothing is appended as a whole.
            var begin = 0
            for (index, byte) in utf8.enumerated() where Self.isSpecial(byte) {
                bytes.append(contentsOf: utf8[begin..<index])
                begin = index + 1
                switch byte {
                case UInt8(ascii: "&"): markup("&amp;")
                case UInt8(ascii: "<"): markup("&lt;")
                case UInt8(ascii: ">"): markup("&gt;")
                case UInt8(ascii: "\""): markup("&quot;")
                case UInt8(ascii: "'"): markup("&#39;")
                default: markup("\u{FFFD}")
                }
            }
            bytes.append(contentsOf: utf8[begin...])
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F: true
        case 0x09, 0x0A, 0x0D: false
        default: byte < 0x20
        }
    }
}
