import InboxCards

/// Customizes the appearance of cards, of each card once, after the surface's own settings have been applied. Every
/// method has a default that does nothing.
@MainActor
public protocol ContentCardCustomizing {
    /// Customizes a card with a small image, or one with only texts.
    func customize(template: SmallImageTemplate)
    /// Customizes a card with a large image.
    func customize(template: LargeImageTemplate)
    /// Customizes a card that is only an image.
    func customize(template: ImageOnlyTemplate)
}

extension ContentCardCustomizing {
    /// Does nothing.
    public func customize(template: SmallImageTemplate) {}
    /// Does nothing.
    public func customize(template: LargeImageTemplate) {}
    /// Does nothing.
    public func customize(template: ImageOnlyTemplate) {}
}

/// Passes cards to the customizer as templates, and applies its changes.
struct TemplateCustomizer: CardCustomizing {
    let customizer: any ContentCardCustomizing

    func customize(_ card: inout Card) {
        switch card.template {
        case .largeImage:
            let template = LargeImageTemplate(card)
            customizer.customize(template: template)
            card = template.card
        case .imageOnly:
            let template = ImageOnlyTemplate(card)
            customizer.customize(template: template)
            card = template.card
        // Adobe has no cards with only texts. The template with an optional image is the closest.
        case .smallImage, .plainText, .push:
            let template = SmallImageTemplate(card)
            customizer.customize(template: template)
            card = template.card
        }
    }
}
