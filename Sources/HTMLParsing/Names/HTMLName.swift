/// The name of an element or of an attribute, as a number.
///
/// Names that the standard knows are constants, such as ``HTMLName/div``, and are equal in all trees. Other names have
/// a meaning only in the tree that they come from. ``HTMLTree/text(of:)-(HTMLName)`` returns a name's characters.
public struct HTMLName: Hashable, Sendable {
    let id: UInt32

    init(id: UInt32) {
        self.id = id
    }

    /// Returns the constant with these characters, or nil if the name isn't a known one.
    ///
    /// - Parameter text: The name in lowercase, but for the names of SVG and MathML that have capitals, such as
    ///   `viewBox`.
    public init?(known text: String) {
        guard let id = KnownNames.id(of: Array(text.utf8)) else { return nil }
        self.init(id: id)
    }

    /// Whether the name is a constant, and so is equal in all trees.
    public var isKnown: Bool { id < UInt32(KnownNames.count) }
}

/// The namespace of an element.
public enum HTMLNamespace: UInt8, Hashable, Sendable {
    /// `http://www.w3.org/1999/xhtml`.
    case html
    /// `http://www.w3.org/1998/Math/MathML`.
    case mathML
    /// `http://www.w3.org/2000/svg`.
    case svg
}
