package import Groundwork

/// The names in an object of the form `{"name": true, …}`, such as an email's keywords or mailboxes.
///
/// Names are printable ASCII without spaces, quotation marks and backslashes, like JMAP's ids and keywords (RFC 8620,
/// section 1.2; RFC 8621, section 4.1.1). Other names are ignored. A set therefore contains a name if its text contains
/// the name in quotation marks.
package struct MemberSet: Hashable, Sendable {
    /// The names in ascending order, without duplicates.
    package private(set) var names: [String]

    package init(_ names: some Sequence<String> = []) {
        self.names = Set(names.filter(Self.isValid)).sorted()
    }

    /// Creates a set from ``text`` as a JSON array, or from the object as it is sent. Any other value gives an empty
    /// set.
    package init(_ json: JSON) {
        switch json {
        case .array(let names): self.init(names.compactMap(\.stringValue))
        case .object(let object):
            self.init(object.members.filter { $0.value == .bool(true) }.map(\.name))
        default: self.init()
        }
    }

    /// Creates a set from ``text``.
    package init(text: String) {
        var text = text
        names = text.withUTF8 { bytes in
            var names: [String] = []
            var start: Int?
            // The text contains no escapes.
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
        // Text that a damaged file has.
        if zip(names, names.dropFirst()).contains(where: >=) { names = Set(names).sorted() }
    }

    /// The names as a JSON array, as stored in the column.
    package var text: String { "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    /// The object as it is sent.
    package var json: JSON { .object(JSONObject(names.map { ($0, .bool(true)) })) }

    package func contains(_ name: String) -> Bool { names.contains(name) }

    /// Adds a name, or removes it.
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
