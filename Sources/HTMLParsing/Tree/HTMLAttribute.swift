/// An attribute of an element.
public struct HTMLAttribute: Hashable, Sendable {
    /// The local name, such as `href`, also of `xlink:href` in foreign content.
    public let name: HTMLName
    /// The namespace. Attributes of HTML have none.
    public let namespace: Namespace
    /// The value, with character references resolved. An attribute without a value has an empty one.
    public let value: String

    /// The namespace of an attribute.
    public enum Namespace: UInt8, Hashable, Sendable {
        /// None, as all attributes of HTML have.
        case none
        /// `http://www.w3.org/1999/xlink`, written with the prefix `xlink:`.
        case xlink
        /// `http://www.w3.org/XML/1998/namespace`, written with the prefix `xml:`.
        case xml
        /// `http://www.w3.org/2000/xmlns/`, written `xmlns` or with the prefix `xmlns:`.
        case xmlns
    }
}
