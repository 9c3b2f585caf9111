/// The kind of a token. ``Tokenizer`` holds its contents until the next one is read.
enum TokenKind {
    /// A tag: ``Tokenizer/tag`` and ``Tokenizer/attributes``.
    case startTag, endTag
    /// A run of characters: ``Tokenizer/text``. None of them is U+0000.
    case characters
    /// U+0000, outside of the texts in which the tokenizer replaces it.
    case null
    /// A comment: ``Tokenizer/text``.
    case comment
    /// A document type: ``Tokenizer/doctype``.
    case doctype
    case endOfFile
}

/// The contents of a tag.
struct TagToken {
    var name: UInt32 = 0
    var tag = Tag.other
    var isSelfClosing = false
}

/// An attribute of a tag or of an element.
struct Attribute: Sendable {
    /// The id of the name; without its prefix, if the attribute has a namespace.
    var name: UInt32
    var namespace = HTMLAttribute.Namespace.none
    var value: Range<Int>
}

/// The contents of a document type.
struct DoctypeToken: Sendable {
    var name: [UInt8]?
    var publicID: [UInt8]?
    var systemID: [UInt8]?
    var forcesQuirks = false
}
