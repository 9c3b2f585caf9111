/// A node of the arena. Links are indices, and -1 is none.
struct Node: Sendable {
    var kind: HTMLTree.Kind
    var tag = Tag.other
    var namespace = HTMLNamespace.html
    /// Whether the element is in the stack of open elements.
    var isOpen = false
    /// The id of an element's name.
    var name: UInt32 = 0
    var parent: Int32 = -1
    var first: Int32 = -1
    var last: Int32 = -1
    var previous: Int32 = -1
    var next: Int32 = -1
    /// The bytes of a text or a comment; the indices of an element's attributes; the index of a document type.
    var range = ByteRange.empty
    /// A template's contents, or the template of contents; the number of bytes that a text may grow to in its place.
    var other: Int32 = -1
}
