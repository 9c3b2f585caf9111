/// An event of an event stream (HTML Standard, section 9.2, Server-sent events).
package struct EventStreamEvent: Hashable, Sendable {
    /// The event's name. It is `message` if the stream gives none.
    package var name: String
    package var data: String
    package var id: String?

    package init(name: String = "message", data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }

    /// The serialized event. Name and id must not contain line breaks. Line breaks in the data are received as line
    /// feeds.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + name.utf8.count + data.utf8.count + (id?.utf8.count ?? 0))
        bytes += "event: ".utf8
        bytes += name.utf8
        if let id {
            bytes += "\nid: ".utf8
            bytes += id.utf8
        }
        bytes.append(0x0A)
        bytes += Self.field
        // Parsers accept three line endings: CR, LF and CRLF.
        var previous = UInt8(0)
        for byte in data.utf8 {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0A, 0x0D: bytes += [0x0A] + Self.field
            default: bytes.append(byte)
            }
            previous = byte
        }
        bytes += [0x0A, 0x0A]
        return bytes
    }

    private static let field = Array("data: ".utf8)
}
