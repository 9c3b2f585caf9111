extension HTMLTree {
    /// The markup of the children of the root (HTML, section 13.3), with scripting disabled.
    public func serialized() -> String { serialized(childrenOf: root) }

    /// The markup of the children of a node (HTML, section 13.3), as `innerHTML` returns it.
    ///
    /// For a template element it is that of its contents. Values escape `<` and `>`, too. The markup of an element that
    /// can't have children is empty.
    public func serialized(childrenOf node: NodeID) -> String {
        String(decoding: markup(childrenOf: node), as: UTF8.self)
    }

    /// The UTF-8 of ``serialized(childrenOf:)``.
    public func markup(childrenOf root: NodeID) -> [UInt8] {
        var output: [UInt8] = []
        guard !isVoid(node(root)) else { return output }
        var current = firstSerializedChild(of: root.index)
        while current >= 0 {
            begin(current, &output)
            let child = isVoid(nodes[Int(current)]) ? -1 : firstSerializedChild(of: current)
            if child >= 0 {
                current = child
                continue
            }
            end(current, &output)
            while nodes[Int(current)].next < 0 {
                let parent = serializedParent(of: current)
                guard parent >= 0, parent != root.index, nodes[Int(current)].parent != root.index else { return output }
                current = parent
                end(current, &output)
            }
            current = nodes[Int(current)].next
        }
        return output
    }

    private func firstSerializedChild(of node: Int32) -> Int32 {
        let holder = nodes[Int(node)].tag == .template ? nodes[Int(node)].other : node
        return nodes[Int(holder)].first
    }

    private func serializedParent(of node: Int32) -> Int32 {
        let parent = nodes[Int(node)].parent
        guard parent >= 0, nodes[Int(parent)].kind == .documentFragment, nodes[Int(parent)].other >= 0 else {
            return parent
        }
        return nodes[Int(parent)].other
    }

    /// Writes a node up to its children.
    private func begin(_ index: Int32, _ output: inout [UInt8]) {
        let node = nodes[Int(index)]
        switch node.kind {
        case .element:
            output.append(UInt8(ascii: "<"))
            names.withBytes(of: node.name) { output.append(contentsOf: $0) }
            for attribute in attributes[node.range] { write(attribute, &output) }
            output.append(UInt8(ascii: ">"))
        case .text:
            let isLiteral = node.parent >= 0 && hasLiteralText(nodes[Int(node.parent)])
            withBytes(node.range) { bytes in
                if isLiteral { output.append(contentsOf: bytes) } else { escape(bytes, inAttribute: false, &output) }
            }
        case .comment:
            output.append(contentsOf: "<!--".utf8)
            withBytes(node.range) { output.append(contentsOf: $0) }
            output.append(contentsOf: "-->".utf8)
        case .doctype:
            output.append(contentsOf: "<!DOCTYPE ".utf8)
            output.append(contentsOf: doctypes[node.range.lowerBound].name ?? [])
            output.append(UInt8(ascii: ">"))
        case .document, .documentFragment:
            break
        }
    }

    /// Writes what follows a node's children.
    private func end(_ index: Int32, _ output: inout [UInt8]) {
        let node = nodes[Int(index)]
        guard node.kind == .element, !isVoid(node) else { return }
        output.append(contentsOf: "</".utf8)
        names.withBytes(of: node.name) { output.append(contentsOf: $0) }
        output.append(UInt8(ascii: ">"))
    }

    private func write(_ attribute: Attribute, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: " "))
        switch attribute.namespace {
        case .none: break
        case .xlink: output.append(contentsOf: "xlink:".utf8)
        case .xml: output.append(contentsOf: "xml:".utf8)
        case .xmlns where attribute.name != HTMLName.xmlns.id: output.append(contentsOf: "xmlns:".utf8)
        case .xmlns: break
        }
        names.withBytes(of: attribute.name) { output.append(contentsOf: $0) }
        output.append(contentsOf: "=\"".utf8)
        withBytes(attribute.value) { escape($0, inAttribute: true, &output) }
        output.append(UInt8(ascii: "\""))
    }

    /// Escapes a text or a value (section 13.3, "escaping a string").
    private func escape(_ bytes: UnsafeBufferPointer<UInt8>, inAttribute: Bool, _ output: inout [UInt8]) {
        var start = 0
        for index in bytes.indices {
            let escaped: StaticString
            var length = 1
            switch bytes[index] {
            case UInt8(ascii: "&"): escaped = "&amp;"
            case UInt8(ascii: "<"): escaped = "&lt;"
            case UInt8(ascii: ">"): escaped = "&gt;"
            case UInt8(ascii: "\"") where inAttribute: escaped = "&quot;"
            case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0xA0: (escaped, length) = ("&nbsp;", 2)
            default: continue
            }
            output.append(contentsOf: bytes[start..<index])
            output.append(contentsOf: UnsafeBufferPointer(start: escaped.utf8Start, count: escaped.utf8CodeUnitCount))
            start = index + length
        }
        output.append(contentsOf: bytes[start...])
    }

    /// Whether an element never has an end tag.
    private func isVoid(_ node: Node) -> Bool {
        guard node.kind == .element, node.namespace == .html else { return false }
        switch node.tag {
        case .area, .base, .basefont, .bgsound, .br, .col, .embed, .frame, .hr, .img, .input, .keygen, .link, .meta,
            .param, .source, .track, .wbr:
            return true
        default:
            return false
        }
    }

    /// Whether the text in an element is written as it is.
    private func hasLiteralText(_ node: Node) -> Bool {
        guard node.kind == .element, node.namespace == .html else { return false }
        switch node.tag {
        case .style, .script, .xmp, .iframe, .noembed, .noframes, .plaintext: return true
        default: return false
        }
    }
}
