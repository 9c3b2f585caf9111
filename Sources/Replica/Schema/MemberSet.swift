package import Groundwork

/// The names that an object of the kind `{"name": true, …}` has, such as an email's keywords or mailboxes.
///
/// Names have no quotation marks, backslashes or characters beyond ASCII, as JMAP's ids and keywords haven't (RFC 8620
/// §1.2, RFC 8621 §4.1.1); others are left out. So a name is in the text where it stands there in quotation marks.
package struct MemberSet: Hashable, Sendable {
    /// In ascending order, each once.
    package private(set) var names: [String]

    package init(_ names: some Sequence<String> = []) {
        self.names = Set(names.filter(Self.isValid)).sorted()
    }

    /// Reads the text that ``text`` gives, or the object as it travels; what isn't either has no members.
    package init(_ json: JSON) {
        switch json {
        case .array(let names): self.init(names.compactMap(\.stringValue))
        case .object(let object):
            self.init(object.members.filter { $0.value == .bool(true) }.map(\.name))
        default: self.init()
        }
    }

    /// Reads ``text``.
    package init(text: String) {
        var text = text
        names = text.withUTF8 { bytes in
            var names: [String] = []
            var start: Int?
            // Nothing in it is escaped.
            for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "\"") {
                if let first = start {
                    names.append(String(decoding: bytes[first..<place], as: UTF8.self))
                    start = nil
                } else {
                    start = place + 1
                }
            }
            return names
        }
    }

    /// A JSON array, as the store has it.
    package var text: String { "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    /// The object as it travels.
    package var json: JSON { .object(JSONObject(names.map { ($0, .bool(true)) })) }

    package func contains(_ name: String) -> Bool { names.contains(name) }

    /// Puts a name in, or takes it out.
    package mutating func set(_ name: String, _ isMember: Bool) {
        if !isMember {
            names.removeAll { $0 == name }
        } else if Self.isValid(name), !names.contains(name) {
            names.append(name)
            names.sort()
        }
    }

    static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
