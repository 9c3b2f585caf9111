package import HTMLParsing

extension HTMLTree {
    /// The tree as html5lib-tests writes it.
    package var dump: String {
        var lines: [String] = []
        // Each entry is a node and its depth, or the contents of a template.
        var stack = [(root, -1)]
        while let (node, depth) = stack.popLast() {
            let indent = "| " + String(repeating: "  ", count: max(0, depth))
            switch kind(of: node) {
            case .document: break
            case .documentFragment: if depth >= 0 { lines.append(indent + "content") }
            case .doctype:
                guard let doctype = doctype(of: node) else { break }
                let ids =
                    doctype.publicID.isEmpty && doctype.systemID.isEmpty
                    ? "" : " \"\(doctype.publicID)\" \"\(doctype.systemID)\""
                lines.append("\(indent)<!DOCTYPE \(doctype.name)\(ids)>")
            case .element:
                guard let name = name(of: node), let namespace = namespace(of: node) else { break }
                let prefix = ["", "math ", "svg "][Int(namespace.rawValue)]
                lines.append("\(indent)<\(prefix)\(text(of: name))>")
                let attributes = attributes(of: node).map { attribute in
                    var name = text(of: attribute.name)
                    switch attribute.namespace {
                    case .none: break
                    case .xlink: name = "xlink " + name
                    case .xml: name = "xml " + name
                    case .xmlns: name = "xmlns " + name
                    }
                    return "\(name)=\"\(attribute.value)\""
                }
                lines += attributes.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }.map { "\(indent)  \($0)" }
            case .text: lines.append("\(indent)\"\(text(of: node))\"")
            case .comment: lines.append("\(indent)<!-- \(text(of: node)) -->")
            }
            for child in Array(children(of: node)).reversed() { stack.append((child, depth + 1)) }
            if let contents = templateContents(of: node) { stack.append((contents, depth + 1)) }
        }
        return lines.joined(separator: "\n")
    }
}
