import HTMLParsing

@testable import HTMLCleaning

/// What holds for every output of the cleaner.
enum Invariants {
    static let allowedElements = Set(CleanElement.allCases.map(\.rawValue))
    static let allowedAttributes = Set(CleanAttribute.Name.allCases.map(\.rawValue))
    static let cleaners = [
        HTMLCleaner(),
        HTMLCleaner(
            .init(
                linkSchemes: ["http", "https", "mailto", "tel", "app"],
                readsActions: true,
                closeButtons: .linked(to: "app://close", addsDefault: true),
                allowsDataPictures: true,
                opensLinksOutside: true,
                limits: HTMLLimits(depth: 40)
            )
        ),
        // Little room for what style sheets add.
        HTMLCleaner(
            .init(
                removesTrackingPixels: false,
                medium: HTMLMedium(width: 320, isDark: true),
                limits: HTMLLimits(bytes: 4_000)
            )
        ),
        HTMLCleaner(.init(medium: nil)),
    ]

    /// The first invariant that an input breaks with one of the cleaners, or nil.
    static func problem(_ input: [UInt8]) -> String? { problem(input, cleaners) }

    /// The first invariant that an input breaks with some cleaners, or nil.
    static func problem(_ input: [UInt8], _ cleaners: [HTMLCleaner]) -> String? {
        for cleaner in cleaners {
            let clean = cleaner.clean(input)
            if let problem = problem(clean, cleaner) {
                return "\(problem)\ninput:  \(String(decoding: input, as: UTF8.self))\noutput: \(clean.markup)"
            }
        }
        return nil
    }

    private static func problem(_ clean: CleanHTML, _ cleaner: HTMLCleaner) -> String? {
        let fragment = HTMLParser.parseFragment(clean.markup)
        let readings: [(String, HTMLTree, HTMLTree.NodeID?)] = [
            ("a fragment", fragment, fragment.root),
            within("<body>", clean.markup), within("<!doctype html><body>", clean.markup), within("", clean.markup),
            within("<!doctype html><div><table><td>", clean.markup, .td),
        ]
        for (name, tree, root) in readings {
            guard let root else { return "no root in \(name)" }
            if !clean.tree.isSame(as: tree, root) {
                return "\(name) has another tree:\n\(tree.written(root))\n\(clean.tree.written)"
            }
            if name == "a fragment", let problem = outside(tree) { return problem }
        }
        // What is beyond the limits is cut.
        if clean.markup.utf8.count > cleaner.options.limits.bytes { return nil }
        let again = cleaner.clean(clean.markup)
        if again.markup != clean.markup { return "cleaning again changes it: \(again.markup)" }
        if again.links != clean.links.filter(\.isWritten).enumerated().map({ $1.with(index: $0) }) {
            return "cleaning again finds other links: \(again.links) \(clean.links)"
        }
        return nil
    }

    private static func within(
        _ start: String,
        _ markup: String,
        _ name: HTMLName = .body
    ) -> (String, HTMLTree, HTMLTree.NodeID?) {
        let tree = HTMLParser.parse(start + markup)
        return ("after \(start)", tree, tree.descendants(of: tree.root).first { tree.isElement($0, name) })
    }

    /// What is in a tree and isn't allowed.
    private static func outside(_ tree: HTMLTree) -> String? {
        for node in tree.descendants(of: tree.root) {
            switch tree.kind(of: node) {
            case .text: continue
            case .element:
                guard let name = tree.name(of: node), tree.namespace(of: node) == .html,
                    allowedElements.contains(tree.text(of: name))
                else { return "an element that isn't allowed" }
                for attribute in tree.attributes(of: node) {
                    let name = tree.text(of: attribute.name)
                    guard attribute.namespace == .none, allowedAttributes.contains(name) else { return name }
                    if let problem = problem(name, attribute.value) { return problem }
                }
            default: return "a node of another kind"
            }
        }
        return nil
    }

    // By bytes, for a combining mark is one character with what it follows.
    private static func starts(_ text: some StringProtocol, _ start: String) -> Bool {
        text.utf8.starts(with: start.utf8)
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        text.utf8.indices.contains { text.utf8[$0...].starts(with: part.utf8) }
    }

    /// A style without its URLs that are allowed.
    private static func withoutURLs(_ style: String) -> String {
        var rest = style[...]
        var found = ""
        while let start = rest.firstRange(of: "url('"), let end = rest[start.upperBound...].firstRange(of: "')") {
            let url = rest[start.upperBound..<end.lowerBound]
            let isAllowed = ["http://", "https://", "cid:", "data:image/"].contains { starts(url, $0) }
            found += rest[..<(isAllowed ? start.lowerBound : end.upperBound)]
            rest = rest[end.upperBound...]
        }
        return found + rest
    }

    private static func problem(_ name: String, _ value: String) -> String? {
        if value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\n" || $0.value == 0x7F }) {
            return "a control character"
        }
        switch name {
        case "href":
            let isAllowed = ["http://", "https://", "mailto:", "tel:", "app:"].contains { starts(value, $0) }
            return isAllowed ? nil : "href \(value)"
        case "src":
            let isAllowed = ["http://", "https://", "cid:", "data:image/"].contains { starts(value, $0) }
            return isAllowed ? nil : "src \(value)"
        case "style":
            let rejected = ["\\", "/*", "@", "expression", "javascript", "{", "}", "behavior", "<", "!"]
            let outsideURLs = withoutURLs(value)
            for declaration in outsideURLs.split(separator: "; ") {
                let name = String(declaration.prefix { $0 != ":" })
                if CSSProperty.all[name] == nil { return "style with the property \(name): \(value)" }
            }
            return rejected.first { contains(outsideURLs, $0) }.map { "style with \($0): \(value)" }
                ?? (contains(outsideURLs, "url(") ? "style \(value)" : nil)
        default: return nil
        }
    }
}

extension HTMLLink {
    fileprivate func with(index: Int) -> HTMLLink {
        var link = HTMLLink(
            index: index,
            url: url,
            source: source == .dataLink ? .href : source,
            actionType: actionType,
            text: text,
            isWritten: true
        )
        if actionType == "" {
            link = HTMLLink(index: index, url: url, source: link.source, actionType: nil, text: text, isWritten: true)
        }
        return link
    }
}

extension HTMLTree {
    /// The descendants of a node, one a line, and the attributes of each.
    func written(_ root: NodeID) -> String {
        var lines: [String] = []
        var stack = [(root, -1)]
        while let (node, depth) = stack.popLast() {
            if node != root {
                let indent = String(repeating: " ", count: depth)
                switch kind(of: node) {
                case .text: lines.append("\(indent)\"\(text(of: node))\"")
                case .element:
                    let attributes = attributes(of: node).map { " \(text(of: $0.name))=\"\($0.value)\"" }.joined()
                    lines.append("\(indent)<\(name(of: node).map { text(of: $0) } ?? "")\(attributes)>")
                default: lines.append("\(indent)\(kind(of: node))")
                }
            }
            for child in Array(children(of: node)).reversed() { stack.append((child, depth + 1)) }
        }
        return lines.joined(separator: "\n")
    }
}

extension CleanTree {
    /// Whether the descendants of a parsed node are those of this tree.
    func isSame(as tree: HTMLTree, _ root: HTMLTree.NodeID) -> Bool {
        var stack: [(Int32, HTMLTree.NodeID)] = [(0, root)]
        while let (index, node) = stack.popLast() {
            var child = nodes[Int(index)].first
            for other in tree.children(of: node) {
                guard child >= 0 else { return false }
                let ours = nodes[Int(child)]
                if let element = ours.element {
                    guard tree.namespace(of: other) == .html, let name = tree.name(of: other),
                        tree.text(of: name) == element.rawValue
                    else { return false }
                    let attributes = tree.attributes(of: other)
                    guard attributes.count == ours.attributes.count else { return false }
                    for (left, right) in zip(attributes, ours.attributes) {
                        guard tree.text(of: left.name) == right.name.rawValue,
                            left.value.utf8.elementsEqual(right.value.utf8)
                        else {
                            return false
                        }
                    }
                } else {
                    guard tree.kind(of: other) == .text,
                        tree.withUTF8(of: other, { $0.elementsEqual(bytes[ours.text]) })
                    else { return false }
                }
                stack.append((child, other))
                child = ours.next
            }
            if child >= 0 { return false }
        }
        return true
    }

    /// The tree as ``HTMLTree/written(_:)`` writes it.
    var written: String {
        var lines: [String] = []
        var stack: [(Int32, Int)] = [(0, -1)]
        while let (index, depth) = stack.popLast() {
            let node = nodes[Int(index)]
            if index != 0 {
                let indent = String(repeating: " ", count: depth)
                if let element = node.element {
                    let attributes = node.attributes.map { " \($0.name.rawValue)=\"\($0.value)\"" }.joined()
                    lines.append("\(indent)<\(element.rawValue)\(attributes)>")
                } else {
                    lines.append("\(indent)\"\(String(decoding: bytes[node.text], as: UTF8.self))\"")
                }
            }
            var children: [(Int32, Int)] = []
            var child = node.first
            while child >= 0 {
                children.append((child, depth + 1))
                child = nodes[Int(child)].next
            }
            stack += children.reversed()
        }
        return lines.joined(separator: "\n")
    }
}
