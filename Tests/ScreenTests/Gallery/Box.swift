import Foundation

/// An element of a page.
struct Box: Sendable {
    /// What is in an element.
    enum Content: Sendable {
        case box(Box)
        case text(String)
        /// Markup of this file's neighbours, which has no text of a message.
        case markup(String)
    }

    var tag = "div"
    var attributes: [(name: String, value: String)] = []
    var styles: [(name: String, value: String)] = []
    var content: [Content] = []

    init(_ tag: String = "div", class name: String? = nil, _ boxes: [Box] = []) {
        self.tag = tag
        content = boxes.map(Content.box)
        if let name { self["class"] = name }
    }

    init(_ tag: String, class name: String? = nil, text: String) {
        self.init(tag, class: name)
        content = [.text(text)]
    }

    /// An attribute.
    subscript(name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            attributes.removeAll { $0.name == name }
            if let newValue { attributes.append((name, newValue)) }
        }
    }

    /// Returns the element with properties of its style; one with nil isn't set.
    func style(_ name: String, _ value: String?) -> Box {
        guard let value else { return self }
        var box = self
        box.styles.removeAll { $0.name == name }
        box.styles.append((name, value))
        return box
    }

    /// Returns the element with a length in points.
    func style(_ name: String, _ points: CGFloat?) -> Box { style(name, points.map(Self.length)) }

    static func length(_ points: CGFloat) -> String {
        "\(points == points.rounded() ? "\(Int(points))" : "\(points)")px"
    }

    /// The markup. Texts and attributes are escaped.
    var html: String {
        var html = ""
        write(to: &html)
        return html
    }

    private func write(to html: inout String) {
        html += "<\(tag)"
        for (name, value) in attributes { html += " \(name)=\"\(Self.escaped(value))\"" }
        if !styles.isEmpty {
            let styles = styles.map { "\($0.name):\($0.value)" }.joined(separator: ";")
            html += " style=\"\(Self.escaped(styles))\""
        }
        html += ">"
        for content in content {
            switch content {
            case .box(let box): box.write(to: &html)
            case .text(let text): html += Self.escaped(text)
            case .markup(let markup): html += markup
            }
        }
        if tag != "input" { html += "</\(tag)>" }
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
