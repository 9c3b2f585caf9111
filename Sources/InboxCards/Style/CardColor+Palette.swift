/// The default colors. A test checks that each pair of text and background meets WCAG 2.2, level AA (section 1.4.3).
extension CardColor {
    /// The color of titles and of the text in the detail view.
    public static let primary = CardColor(light: RGBA(0x1C1C1E), dark: RGBA(0xF5F5F7))
    /// The color of texts, times and placeholders.
    public static let secondary = CardColor(light: RGBA(0x55555B), dark: RGBA(0xB4B4BC))
    /// The color of buttons, links and the unread indicator.
    public static let accent = CardColor(light: RGBA(0x005BC4), dark: RGBA(0x6CB2FF))
    /// The background behind the cards.
    public static let page = CardColor(light: RGBA(0xF2F2F7), dark: RGBA(0x0B0B0D))
    /// The background of a card.
    public static let card = CardColor(light: RGBA(0xFFFFFF), dark: RGBA(0x1C1C1E))
    /// The color of a dismiss button's ×.
    public static let dismiss = CardColor(light: RGBA(0x55555B), dark: RGBA(0xB4B4BC))
    /// The color of the circle of a dismiss button.
    public static let dismissCircle = CardColor(light: RGBA(0xE5E5EA), dark: RGBA(0x3A3A3C))
    /// The placeholder of an image that is loading or failed to load.
    public static let placeholder = CardColor(light: RGBA(0xE5E5EA), dark: RGBA(0x2C2C2E))
}
