extension CleanHTML {
    /// The lowest contrast of a text with its background, or nil if no text's background is known.
    ///
    /// Colors of attributes and styles count, with their inheritance. Texts that are hidden, and texts over a picture,
    /// don't count. A page can compare its schemes by it, and show a message on the background on which it can be read.
    ///
    /// - Parameters:
    ///   - text: The color of text that the message sets no color for. Links without a color have it, too.
    ///   - background: The opaque color that the message is on.
    public func lowestContrast(text: HTMLColor, background: HTMLColor) -> Double? {
        var stack = [Colors(text: text, background: background)]
        var lowest: Double?
        tree.walk { index in
            let node = tree.nodes[Int(index)]
            let colors = stack[stack.count - 1]
            if let element = node.element {
                stack.append(colors.within(element, node.attributes))
            } else {
                stack.append(colors)
                guard let background = colors.background, !colors.isHidden else { return }
                if tree.bytes[node.text].allSatisfy(CleanText.isSpace) { return }
                let contrast = colors.text.blended(over: background).contrast(with: background)
                lowest = min(lowest ?? contrast, contrast)
            }
        } end: { _ in
            stack.removeLast()
        }
        return lowest
    }

    private struct Colors {
        var text: HTMLColor
        /// Nil over a picture.
        var background: HTMLColor?
        var isHidden = false

        func within(_ element: CleanElement, _ attributes: [CleanAttribute]) -> Colors {
            var colors = self
            for attribute in attributes {
                switch attribute.name {
                case .bgcolor: colors.cover(HTMLColor(css: attribute.value))
                case .color where element == .font: colors.text = HTMLColor(css: attribute.value) ?? text
                case .hidden: colors.isHidden = true
                case .style:
                    for declaration in attribute.value.split(separator: "; ") { colors.apply(declaration) }
                default: break
                }
            }
            return colors
        }

        private mutating func apply(_ declaration: Substring) {
            guard let colon = declaration.firstIndex(of: ":") else { return }
            let value = declaration[colon...].dropFirst(2)
            switch declaration[..<colon] {
            case "color": text = HTMLColor(css: String(value)) ?? text
            case "background-color": cover(HTMLColor(css: String(value)))
            case "background-image": if value.contains("url(") { background = nil }
            case "background":
                if value.contains("url(") { background = nil } else { cover(HTMLColor(background: value)) }
            case "display": if value == "none" { isHidden = true }
            case "visibility": if value == "hidden" { isHidden = true }
            default: break
            }
        }

        private mutating func cover(_ color: HTMLColor?) {
            guard let color else { return }
            if let background {
                self.background = color.blended(over: background)
            } else if color.alpha == 1 {
                background = color
            }
        }
    }
}
