/// An address in pieces that are written one after the other: on a list, all but the message's id is the same for each
/// card, and is made ready once.
package struct CardAddress: Sendable {
    private let before: Piece
    private let id: String
    private let after: Piece?
    private let last: String

    /// A part of an address as it stands in HTML.
    struct Piece: Sendable {
        fileprivate let escaped: String

        init(_ text: String) {
            var writer = HTMLWriter()
            writer.text(text)
            escaped = String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    /// An address that is there as a whole.
    package init(_ whole: String) {
        self.init(before: Piece(""), id: whole)
    }

    /// What stands before a message's id, the id, and what stands after it.
    init(before: Piece, id: String, after: Piece? = nil, last: String = "") {
        (self.before, self.id, self.after, self.last) = (before, id, after, last)
    }

    /// Writes it as the value of an attribute.
    func write(to writer: inout HTMLWriter) {
        writer.name(before.escaped)
        writer.text(id)
        if let after { writer.name(after.escaped) }
        if !last.isEmpty { writer.text(last) }
    }
}
