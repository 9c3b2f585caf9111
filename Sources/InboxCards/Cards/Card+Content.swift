extension Card {
    /// The tree that is drawn. The unread mark and the dismiss button lie over it, in their corners.
    public var content: CardElement {
        var tree = CardTree()
        give(to: &tree)
        return tree.root
    }
}

/// Puts the parts of a card together.
private struct CardTree: CardParts {
    /// All of it, once the parts are there.
    var root = CardElement.stack(StackElement(.vertical, []))
    /// The stacks that have begun, each within the one before.
    private var open: [StackElement] = []

    mutating func begin(_ axis: StackElement.Axis, _ style: StackStyle, fillsWidth: Bool) {
        open.append(StackElement(axis, style: style, fillsWidth: fillsWidth, []))
    }

    mutating func end() {
        guard let stack = open.popLast() else { return }
        if open.isEmpty { root = .stack(stack) } else { add(.stack(stack)) }
    }

    mutating func add(_ text: TextElement) { add(.text(text)) }
    mutating func add(_ time: TimeElement) { add(.time(time)) }
    mutating func add(_ image: ImageElement) { add(.image(image)) }
    mutating func add(_ button: ButtonElement) { add(.button(button)) }

    private mutating func add(_ element: CardElement) {
        open[open.count - 1].children.append(element)
    }
}
