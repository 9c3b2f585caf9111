package import InboxCards

/// The colors of the page around the cards. A test checks that each pair of text and background meets WCAG 2.2, level
/// AA (section 1.4.3).
extension CardColor {
    /// The color of text on ``accent``.
    package static let onAccent = CardColor(light: RGBA(0xFFFFFF), dark: RGBA(0x0B0B0D))
    /// The variant of ``accent`` under the pointer and on a ``notice``.
    package static let strongAccent = CardColor(light: RGBA(0x004A9F), dark: RGBA(0x8EC4FF))
    /// The color of errors and irreversible actions.
    package static let danger = CardColor(light: RGBA(0xB3261E), dark: RGBA(0xFF9D94))
    /// The background of a notice about the previous action.
    package static let notice = CardColor(light: RGBA(0xE4E7EE), dark: RGBA(0x2A2D35))
    /// The border of a field.
    package static let fieldBorder = CardColor(light: RGBA(0x8A8A90), dark: RGBA(0x7C7C84))
    /// The overlay of a button without a background under the pointer.
    package static let hover = CardColor(
        light: RGBA(red: 0, green: 0, blue: 0, alpha: 0x0D),
        dark: RGBA(red: 0xFF, green: 0xFF, blue: 0xFF, alpha: 0x17)
    )
    /// The background of a dismiss button's × under the pointer.
    package static let dismissHover = CardColor(light: RGBA(0xD1D1D6), dark: RGBA(0x48484A))
    /// The background of a dismiss button's × on an image.
    package static let dismissOnPicture = CardColor(
        light: RGBA(red: 0xFF, green: 0xFF, blue: 0xFF, alpha: 0xE6),
        dark: RGBA(red: 0x1C, green: 0x1C, blue: 0x1E, alpha: 0xE6)
    )
}
