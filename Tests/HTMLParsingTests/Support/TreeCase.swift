import Foundation
import Testing

import HTMLParsing

/// A case of the corpus of tree construction.
struct TreeCase {
    let name: String
    let input: [UInt8]
    let context: HTMLFragmentContext?
    let isScripted: Bool
    /// The tree as the corpus writes it.
    let tree: String

    static func all() throws -> [TreeCase] {
        try Corpus.files(in: "tree-construction", ending: ".dat").flatMap { file, data in
            let text = "\n" + String(decoding: data, as: UTF8.self)
            return text.split(separator: try Regex("\n#data\n"), omittingEmptySubsequences: false).dropFirst()
                .enumerated()
                .map { index, part in TreeCase(String(part), name: "\(file) \(index + 1)") }
        }
    }

    private init(_ text: String, name: String) {
        self.name = name
        var sections: [String: [Substring]] = [:]
        var section = "data"
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // The text of a tree may have lines that look like a section's name.
            if section != "document",
                [
                    "#errors", "#new-errors", "#document-fragment", "#script-on", "#script-off",
                    "#document",
                ].contains(line)
            {
                section = String(line.dropFirst())
                sections[section] = []
            } else {
                sections[section, default: []].append(line)
            }
        }
        input = Array((sections["data"] ?? []).joined(separator: "\n").utf8)
        isScripted = sections["script-on"] != nil
        context = sections["document-fragment"]?.first.map { line in
            let words = line.split(separator: " ")
            let namespace: HTMLNamespace =
                words.count < 2 ? .html : words[0] == "svg" ? .svg : .mathML
            return HTMLFragmentContext(String(words[words.count - 1]), in: namespace)
        }
        var lines = sections["document"] ?? []
        while lines.last == "" { lines.removeLast() }
        tree = lines.joined(separator: "\n")
    }

    func parsed(limits: HTMLLimits = .standard) -> HTMLTree {
        context.map { HTMLParser.parseFragment(input, context: $0, limits: limits) }
            ?? HTMLParser.parse(input, limits: limits)
    }

    func difference() -> String? {
        let found = parsed().written
        guard found != tree else { return nil }
        let input = String(decoding: input, as: UTF8.self)
        return "\(name): \(input) \(context?.name ?? "")\nexpected\n\(tree)\nfound\n\(found)"
    }
}

extension HTMLTree {
    /// The tree as html5lib-tests writes it.
    var written: String {
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
