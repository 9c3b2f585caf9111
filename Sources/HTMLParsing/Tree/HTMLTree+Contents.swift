extension HTMLTree {
    /// The kind of a node.
    public func kind(of node: NodeID) -> Kind { self.node(node).kind }

    /// Whether a node is an element of HTML with this name.
    public func isElement(_ node: NodeID, _ name: HTMLName) -> Bool {
        let node = self.node(node)
        return node.kind == .element && node.namespace == .html && node.name == name.id
    }

    /// The local name of an element, or nil for another node.
    public func name(of node: NodeID) -> HTMLName? {
        let node = self.node(node)
        return node.kind == .element ? HTMLName(id: node.name) : nil
    }

    /// The namespace of an element, or nil for another node.
    public func namespace(of node: NodeID) -> HTMLNamespace? {
        let node = self.node(node)
        return node.kind == .element ? node.namespace : nil
    }

    /// The characters of a name that is in the tree.
    public func text(of name: HTMLName) -> String {
        names.withBytes(of: name.id) { String(decoding: $0, as: UTF8.self) }
    }

    /// The characters of a text or a comment. It is empty for another node.
    public func text(of node: NodeID) -> String {
        let node = self.node(node)
        return node.kind == .text || node.kind == .comment ? string(node.range) : ""
    }

    /// Calls a function with the UTF-8 of a text or a comment. It is empty for another node.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - body: The function. The bytes are valid until it returns.
    public func withUTF8<Result>(of node: NodeID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let node = self.node(node)
        return withBytes(node.kind == .text || node.kind == .comment ? node.range : 0..<0, body)
    }

    /// The attributes of an element, in the order of its tag, without those that repeat a name. It is empty for another
    /// node.
    public func attributes(of node: NodeID) -> [HTMLAttribute] {
        attributeEntries(of: node).map {
            HTMLAttribute(name: HTMLName(id: $0.name), namespace: $0.namespace, value: string($0.value))
        }
    }

    /// The value of an element's attribute without namespace, or nil if it has none of this name.
    public func attribute(_ name: HTMLName, of node: NodeID) -> String? {
        attributeEntries(of: node).first { $0.name == name.id && $0.namespace == .none }.map { string($0.value) }
    }

    /// A document type, or nil for another node.
    public func doctype(of node: NodeID) -> HTMLDoctype? {
        let node = self.node(node)
        return node.kind == .doctype ? HTMLDoctype(doctypes[node.range.lowerBound]) : nil
    }

    /// The contents of a template element, or nil for another node. They aren't among its children.
    public func templateContents(of node: NodeID) -> NodeID? {
        let node = self.node(node)
        return node.tag == .template ? id(node.other) : nil
    }

    func attributeEntries(of node: NodeID) -> ArraySlice<Attribute> {
        let node = self.node(node)
        return node.kind == .element ? attributes[node.range] : []
    }
}

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

/// A document type.
public struct HTMLDoctype: Hashable, Sendable {
    /// The name in lowercase, usually `html`. It is empty if it is missing.
    public let name: String
    /// The public identifier. It is empty if it is missing.
    public let publicID: String
    /// The system identifier. It is empty if it is missing.
    public let systemID: String

    init(_ token: DoctypeToken) {
        name = String(decoding: token.name ?? [], as: UTF8.self)
        publicID = String(decoding: token.publicID ?? [], as: UTF8.self)
        systemID = String(decoding: token.systemID ?? [], as: UTF8.self)
    }
}
