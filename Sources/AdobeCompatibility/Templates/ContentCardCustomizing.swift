import InboxCards

/// Changes how cards look, each once, when the surface's own settings are in place. Every method has a default that
/// does nothing.
@MainActor
public protocol ContentCardCustomizing {
    /// Changes a card with a small picture, or one with texts alone.
    func customize(template: SmallImageTemplate)
    /// Changes a card with a large picture.
    func customize(template: LargeImageTemplate)
    /// Changes a card that is a picture alone.
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

/// Hands cards over as templates, and takes over what was changed.
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
        // Adobe knows no cards of texts alone; the template with a picture that may be missing is the nearest.
        case .smallImage, .plainText, .push:
            let template = SmallImageTemplate(card)
            customizer.customize(template: template)
            card = template.card
        }
    }
}
