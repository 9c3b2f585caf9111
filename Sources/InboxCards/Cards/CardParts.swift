/// Takes the parts of a card, in the order in which they are read aloud, so that what draws them needs no tree of them.
@usableFromInline
package protocol CardParts: ~Copyable {
    /// A row or a column begins, with the parts that follow up to its ``end()``.
    mutating func begin(_ axis: StackElement.Axis, _ style: StackStyle, fillsWidth: Bool)
    /// The row or column that was begun last ends.
    mutating func end()
    mutating func add(_ text: TextElement)
    mutating func add(_ time: TimeElement)
    mutating func add(_ image: ImageElement)
    mutating func add(_ button: ButtonElement)
}

extension Card {
    /// Gives the parts within one stack: what ``content`` has is made of them. The unread mark and the dismiss button
    /// lie over it, in their corners.
    @inlinable
    package func give(to parts: inout some CardParts & ~Copyable) {
        switch template {
        case .smallImage:
            parts.begin(.horizontal, rootStack, fillsWidth: true)
            if let image { parts.add(image) }
            giveTexts(to: &parts)
            parts.end()
        case .largeImage:
            parts.begin(.vertical, rootStack, fillsWidth: true)
            if let image { parts.add(image) }
            giveTexts(to: &parts)
            parts.end()
        case .imageOnly:
            parts.begin(.vertical, rootStack, fillsWidth: true)
            if let image { parts.add(image) }
            parts.end()
        case .plainText: giveTexts(to: &parts)
        case .push:
            parts.begin(.horizontal, rootStack, fillsWidth: true)
            giveTexts(to: &parts)
            if let image { parts.add(image) }
            parts.end()
        }
    }

    @inlinable
    package func giveTexts(to parts: inout some CardParts & ~Copyable) {
        let isPush = template == .push
        parts.begin(.vertical, textStack, fillsWidth: true)
        if isPush {
            parts.begin(.horizontal, StackStyle(), fillsWidth: true)
            if let caption { parts.add(caption) }
            if let time { parts.add(time) }
            parts.end()
        }
        if let title { parts.add(title) }
        if let body { parts.add(body) }
        if !isPush, let time { parts.add(time) }
        if !buttons.isEmpty {
            parts.begin(.horizontal, buttonStack, fillsWidth: false)
            for button in buttons { parts.add(button) }
            parts.end()
        }
        parts.end()
    }
}
