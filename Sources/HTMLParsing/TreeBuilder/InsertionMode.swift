/// The insertion modes (HTML, section 13.2.4.1).
enum InsertionMode {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable, inTableText
    case inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, inFrameset, afterFrameset
    case afterAfterBody, afterAfterFrameset
}

/// The outcome of a token in an insertion mode.
enum Step {
    case done
    /// The token is processed again, in the mode that is now current.
    case again
}

/// An entry of the stack of open elements.
struct OpenElement {
    var node: Int32
    var tag: Tag
}

/// An entry of the list of active formatting elements, or a marker.
struct FormattingEntry {
    /// The element, or -1 for a marker.
    var node: Int32
    var tag: Tag
    /// A hash of the attributes without their order, once it is known.
    var hash: Int?

    static let marker = FormattingEntry(node: -1, tag: .other)

    var isMarker: Bool { node < 0 }
}

/// A place in the tree: a parent, and the child before which to insert, or -1 for the end.
struct Place {
    var parent: Int32
    var before: Int32 = -1
}
