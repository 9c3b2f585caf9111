extension Card {
    /// The tree that is drawn. The unread mark and the dismiss button lie over it, in their corners.
    public var content: CardElement {
        switch template {
        case .smallImage: row(image.map(CardElement.image), .stack(texts))
        case .largeImage: column(image.map(CardElement.image), .stack(texts))
        case .imageOnly: column(image.map(CardElement.image), nil)
        case .plainText: .stack(texts)
        case .push: row(.stack(texts), image.map(CardElement.image))
        }
    }

    private var texts: StackElement {
        let caption = caption.map(CardElement.text)
        let time = time.map(CardElement.time)
        let isPush = template == .push
        let head: CardElement? =
            isPush ? .stack(StackElement(.horizontal, [caption, time].compactMap { $0 })) : nil
        let row: CardElement? =
            buttons.isEmpty
            ? nil
            : .stack(
                StackElement(.horizontal, style: buttonStack, fillsWidth: false, buttons.map(CardElement.button))
            )
        let parts = [head, title.map(CardElement.text), body.map(CardElement.text), isPush ? nil : time, row]
        return StackElement(.vertical, style: textStack, parts.compactMap { $0 })
    }

    private func row(_ first: CardElement?, _ second: CardElement?) -> CardElement {
        .stack(StackElement(.horizontal, style: rootStack, [first, second].compactMap { $0 }))
    }

    private func column(_ first: CardElement?, _ second: CardElement?) -> CardElement {
        .stack(StackElement(.vertical, style: rootStack, [first, second].compactMap { $0 }))
    }
}
