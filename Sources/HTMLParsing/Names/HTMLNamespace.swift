/// The namespace of an element.
public enum HTMLNamespace: UInt8, Hashable, Sendable {
    /// `http://www.w3.org/1999/xhtml`.
    case html
    /// `http://www.w3.org/1998/Math/MathML`.
    case mathML
    /// `http://www.w3.org/2000/svg`.
    case svg
}
