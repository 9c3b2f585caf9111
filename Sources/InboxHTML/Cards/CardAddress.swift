/// A link target in pieces. On a list, all pieces except the message's id are the same for each card and are escaped
/// once.
package struct CardAddress: Sendable {
    private let before: Piece
    private let id: String
    private let after: Piece?
    private let last: String

    /// An escaped piece of an address.
    struct Piece: Sendable {
        fileprivate let escaped: String

        init(_ text: String) {
            var writer = HTMLWriter()
            writer.text(text)
            escaped = String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    /// Creates an address from a single text.
    package init(_ whole: String) {
        self.init(before: Piece(""), id: whole)
    }

    /// Creates an address from a message's id and the pieces around it.
    init(before: Piece, id: String, after: Piece? = nil, last: String = "") {
        (self.before, self.id, self.after, self.last) = (before, id, after, last)
    }

    /// Writes the address as an attribute's value.
    func write(to writer: inout HTMLWriter) {
        writer.name(before.escaped)
        writer.text(id)
        if let after { writer.name(after.escaped) }
        if !last.isEmpty { writer.text(last) }
    }
}
