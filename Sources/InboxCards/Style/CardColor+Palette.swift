/// The colours where nobody says otherwise. A test holds each pair of text and background to WCAG 2.2's level AA
/// (§1.4.3).
extension CardColor {
    /// Titles, and the text of a detail.
    public static let primary = CardColor(light: RGBA(0x1C1C1E), dark: RGBA(0xF5F5F7))
    /// Texts, times, and what stands for nothing.
    public static let secondary = CardColor(light: RGBA(0x55555B), dark: RGBA(0xB4B4BC))
    /// Buttons, links and the unread mark.
    public static let accent = CardColor(light: RGBA(0x005BC4), dark: RGBA(0x6CB2FF))
    /// Behind the cards.
    public static let page = CardColor(light: RGBA(0xF2F2F7), dark: RGBA(0x0B0B0D))
    /// A card.
    public static let card = CardColor(light: RGBA(0xFFFFFF), dark: RGBA(0x1C1C1E))
    /// The × of a dismiss button.
    public static let dismiss = CardColor(light: RGBA(0x55555B), dark: RGBA(0xB4B4BC))
    /// The circle around it.
    public static let dismissCircle = CardColor(light: RGBA(0xE5E5EA), dark: RGBA(0x3A3A3C))
    /// Where a picture is to be, or couldn't be had.
    public static let placeholder = CardColor(light: RGBA(0xE5E5EA), dark: RGBA(0x2C2C2E))
}
