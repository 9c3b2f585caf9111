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
        return withBytes(node.kind == .text || node.kind == .comment ? node.range : .empty, body)
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
        return node.kind == .doctype ? HTMLDoctype(doctypes[Int(node.range.start)]) : nil
    }

    /// The contents of a template element, or nil for another node. They aren't among its children.
    public func templateContents(of node: NodeID) -> NodeID? {
        let node = self.node(node)
        return node.tag == .template ? id(node.other) : nil
    }

    func attributeEntries(of node: NodeID) -> ArraySlice<Attribute> {
        let node = self.node(node)
        return node.kind == .element ? attributes[node.range.indices] : []
    }
}
