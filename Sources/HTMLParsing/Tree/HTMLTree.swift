/// A tree of nodes that the parser built.
///
/// The tree is one value: its nodes are in one array, and ``NodeID`` names one of them. An id belongs to the tree that
/// it comes from; with another tree it names another node, or stops the program. Walks over the tree need no recursion:
///
/// ```swift
/// for node in tree.descendants(of: tree.root) where tree.isElement(node, .a) {
///     print(tree.attribute(.href, of: node) ?? "none")
/// }
/// ```
public struct HTMLTree: Sendable {
    /// The id of a node.
    public struct NodeID: Hashable, Sendable {
        let index: Int32
    }

    /// The kind of a node.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The root of a document.
        case document
        /// The root of a fragment, or the contents of a template.
        case documentFragment
        /// A document type.
        case doctype
        /// An element.
        case element
        /// A text. No two of them are neighbours after parsing.
        case text
        /// A comment.
        case comment
    }

    /// The mode of a document, which its document type sets.
    public enum QuirksMode: Hashable, Sendable {
        /// No-quirks mode.
        case noQuirks
        /// Limited-quirks mode.
        case limitedQuirks
        /// Quirks mode.
        case quirks
    }

    /// The document, or the fragment.
    public let root: NodeID
    /// The limits that the parse reached. It is empty if the tree is complete.
    public let reachedLimits: HTMLLimits.ReachedLimits
    /// The mode of the document.
    public let quirksMode: QuirksMode

    var nodes: [Node]
    let attributes: [Attribute]
    let doctypes: [DoctypeToken]
    let names: NameTable
    /// The bytes of texts and values: the input, and those that the input doesn't have in their order.
    private let source: [UInt8]
    private let added: [UInt8]

    init(_ builder: consuming TreeBuilder, source: [UInt8]) {
        root = NodeID(index: builder.context < 0 ? 0 : builder.nodes[0].first)
        reachedLimits = builder.reachedLimits
        quirksMode = builder.quirks
        nodes = builder.nodes
        attributes = builder.attributes
        doctypes = builder.doctypes
        names = builder.tokenizer.names
        added = builder.tokenizer.added
        self.source = source
        if root.index != 0 {
            nodes[Int(root.index)].kind = .documentFragment
            nodes[Int(root.index)].parent = -1
        }
    }

    func node(_ id: NodeID) -> Node { nodes[Int(id.index)] }

    func id(_ index: Int32) -> NodeID? { index < 0 ? nil : NodeID(index: index) }

    /// Calls a function with the bytes of a range.
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if range.lowerBound < source.count {
            return source.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
        }
        let start = range.lowerBound - source.count
        return added.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[start..<(start + range.count)]))
        }
    }

    func string(_ range: Range<Int>) -> String {
        withBytes(range) { String(decoding: $0, as: UTF8.self) }
    }
}

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
    var range = 0..<0
    /// A template's contents, or the template of contents; the number of bytes that a text may grow to in its place.
    var other: Int32 = -1
}
