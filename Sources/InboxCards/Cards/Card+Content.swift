extension Card {
    /// The element tree. The unread indicator and the dismiss button are drawn over it, in their corners.
    public var content: CardElement {
        guard template != .plainText else { return .stack(texts) }
        var children: [CardElement] = []
        children.reserveCapacity(2)
        if template == .push { children.append(.stack(texts)) }
        if let image { children.append(.image(image)) }
        if template == .smallImage || template == .largeImage { children.append(.stack(texts)) }
        let isRow = template == .smallImage || template == .push
        return .stack(StackElement(isRow ? .horizontal : .vertical, style: rootStack, children))
    }

    /// The texts, the time and the buttons.
    private var texts: StackElement {
        var children: [CardElement] = []
        children.reserveCapacity(4)
        if template == .push {
            var heading: [CardElement] = []
            if let caption { heading.append(.text(caption)) }
            if let time { heading.append(.time(time)) }
            children.append(.stack(StackElement(.horizontal, heading)))
        }
        if let title { children.append(.text(title)) }
        if let body { children.append(.text(body)) }
        if template != .push, let time { children.append(.time(time)) }
        if !buttons.isEmpty {
            let row = buttons.map(CardElement.button)
            children.append(.stack(StackElement(.horizontal, style: buttonStack, fillsWidth: false, row)))
        }
        return StackElement(.vertical, style: textStack, children)
    }
}
