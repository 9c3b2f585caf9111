import InboxCards

/// The styles of a page's content. Each style that is used has a class, so the page needs no inline styles.
package struct StyleSheet: Sendable {
    private var texts = ClassNames<TextStyle>()
    private var stacks = ClassNames<StackKey>()
    private var others = ClassNames<Part>()
    private var rules: [String] = []

    private struct StackKey: Hashable {
        let axis: StackElement.Axis
        let style: StackStyle
        let fillsWidth: Bool
    }

    /// The style of a text without its content.
    private struct TextStyle: Hashable {
        let font: CardFont
        let color: CardColor
        let alignment: CardAlignment
        let lineLimit: Int?
    }

    package init() {}

    /// The style rules, in the order in which they were first used.
    package var css: String { rules.joined(separator: "\n") }

    /// Returns the class of a text.
    mutating func name(for text: TextElement) -> String {
        let key = TextStyle(
            font: text.font,
            color: text.color,
            alignment: text.alignment,
            lineLimit: text.lineLimit
        )
        if let name = texts[key] { return name }
        var css = "\(CSS.font(key.font));\(CSS.color("color", key.color));\(CSS.textAlign(key.alignment))"
        if let limit = key.lineLimit, limit > 0 {
            css += ";display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden;-webkit-line-clamp:\(limit)"
        }
        let name = add("ib-t", css)
        texts.add(key, name)
        return name
    }

    /// Returns the class of a stack.
    mutating func name(for axis: StackElement.Axis, _ style: StackStyle, fillsWidth: Bool) -> String {
        let key = StackKey(axis: axis, style: style, fillsWidth: fillsWidth)
        if let name = stacks[key] { return name }
        let direction = key.axis == .horizontal ? "row" : "column"
        // Buttons wrap if they don't fit in a row.
        let wrap = key.axis == .horizontal && !key.fillsWidth ? ";flex-wrap:wrap" : ""
        let name = add(
            "ib-s",
            "display:flex;flex-direction:\(direction);gap:\(CSS.length(key.style.spacing));"
                + "align-items:\(CSS.alignItems(key.style.alignment))\(wrap);min-width:0"
        )
        stacks.add(key, name)
        return name
    }

    /// Other styled parts, with the values on which their rules depend. Each different rule is written once.
    enum Part: Hashable {
        case card(CardColor, radius: Double, padding: CardInsets)
        case button(CardColor?, radius: Double, padding: CardInsets)
        case picture(radius: Double, width: Double?, maxHeight: Double?, isSquare: Bool)
        case mark(CardColor?, size: Double)
        case dismiss(CardFont, CardColor, size: Double)
        case circle(CardColor)
        case gap(Double)

        fileprivate var css: String {
            switch self {
            case .card(let color, let radius, let padding):
                // The link that covers the card has the variable, since a radius isn't inherited.
                "\(CSS.color("background-color", color));--ib-radius:\(CSS.length(radius));"
                    + "border-radius:var(--ib-radius);" + CSS.insets("padding", padding)
            case .button(let color, let radius, let padding):
                "border-radius:\(CSS.length(radius));" + CSS.insets("padding", padding)
                    + (color.map { ";" + CSS.color("background-color", $0) } ?? "")
            case .picture(let radius, let width, let maxHeight, let isSquare):
                "border-radius:\(CSS.length(radius))"
                    + (width.map { ";width:\(CSS.length($0));flex:none" } ?? "")
                    + (isSquare ? width.map { ";height:\(CSS.length($0))" } ?? "" : "")
                    + (maxHeight.map { ";max-height:\(CSS.length($0))" } ?? "")
            case .mark(let color, let size):
                "width:\(CSS.length(size));height:\(CSS.length(size))"
                    + (color.map { ";border-radius:50%;" + CSS.color("background-color", $0) } ?? "")
            case .dismiss(let font, let color, let size):
                "\(CSS.font(font));\(CSS.color("color", color));width:\(CSS.length(size));height:\(CSS.length(size))"
            case .circle(let color): CSS.color("background-color", color)
            case .gap(let points): "gap:\(CSS.length(points))"
            }
        }
    }

    /// Returns the class of a part.
    mutating func name(for part: Part) -> String {
        if let name = others[part] { return name }
        let name = add("ib-o", part.css)
        others.add(part, name)
        return name
    }

    private mutating func add(_ prefix: String, _ declarations: String) -> String {
        let name = "\(prefix)\(rules.count)"
        rules.append(".\(name){\(declarations)}")
        return name
    }
}

/// The class names of one kind of style.
///
/// A page has few styles, so the first ones are searched linearly. Further ones are looked up by hash.
struct ClassNames<Style: Hashable & Sendable>: Sendable {
    private var first: [(style: Style, name: String)] = []
    private var others: [Style: String] = [:]

    /// The number of styles that are searched linearly.
    private static var linearCount: Int { 12 }

    subscript(_ style: Style) -> String? {
        for index in first.indices where first[index].style == style { return first[index].name }
        return others.isEmpty ? nil : others[style]
    }

    /// Adds a style, which must not exist yet.
    mutating func add(_ style: Style, _ name: String) {
        if first.count < Self.linearCount {
            first.append((style, name))
        } else {
            others[style] = name
        }
    }
}
