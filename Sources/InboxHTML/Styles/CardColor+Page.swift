package import InboxCards

/// The colours of what stands around the cards. A test holds each pair of text and background to WCAG 2.2's level AA
/// (§1.4.3).
extension CardColor {
    /// What stands on ``accent``.
    package static let onAccent = CardColor(light: RGBA(0xFFFFFF), dark: RGBA(0x0B0B0D))
    /// ``accent`` under the pointer, and on a ``notice``.
    package static let strongAccent = CardColor(light: RGBA(0x004A9F), dark: RGBA(0x8EC4FF))
    /// Errors, and what can't be taken back.
    package static let danger = CardColor(light: RGBA(0xB3261E), dark: RGBA(0xFF9D94))
    /// Behind what says what was just done.
    package static let notice = CardColor(light: RGBA(0xE4E7EE), dark: RGBA(0x2A2D35))
    /// Around a field.
    package static let fieldBorder = CardColor(light: RGBA(0x8A8A90), dark: RGBA(0x7C7C84))
    /// Over what lies behind a button without a background, under the pointer.
    package static let hover = CardColor(
        light: RGBA(red: 0, green: 0, blue: 0, alpha: 0x0D),
        dark: RGBA(red: 0xFF, green: 0xFF, blue: 0xFF, alpha: 0x17)
    )
    /// Behind the × of a dismiss button, under the pointer.
    package static let dismissHover = CardColor(light: RGBA(0xD1D1D6), dark: RGBA(0x48484A))
    /// Behind the × of a dismiss button on a picture.
    package static let dismissOnPicture = CardColor(
        light: RGBA(red: 0xFF, green: 0xFF, blue: 0xFF, alpha: 0xE6),
        dark: RGBA(red: 0x1C, green: 0x1C, blue: 0x1E, alpha: 0xE6)
    )
}
