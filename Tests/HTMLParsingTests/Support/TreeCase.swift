import Foundation
import HTMLInputs
import HTMLParsing
import Testing

/// A case of the corpus of tree construction.
struct TreeCase {
    let name: String
    let input: [UInt8]
    let context: HTMLFragmentContext?
    let isScripted: Bool
    /// The tree as the corpus writes it.
    let tree: String

    static func all() throws -> [TreeCase] {
        try HTMLCorpus.files(in: "tree-construction", ending: ".dat").flatMap { file, data in
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
        let found = parsed().dump
        guard found != tree else { return nil }
        let input = String(decoding: input, as: UTF8.self)
        return "\(name): \(input) \(context?.name ?? "")\nexpected\n\(tree)\nfound\n\(found)"
    }
}
