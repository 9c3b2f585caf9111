import Foundation
import InboxCards
import InboxHTML
import Testing

/// The contrast of the default colors at WCAG 2.2's level AA: 4.5 to 1 for text (§1.4.3), 3 to 1 for marks (§1.4.11).
@Suite(.timeLimit(.minutes(5))) struct ContrastTests {
    private static let texts: [(String, CardColor)] = [
        ("primary", .primary), ("secondary", .secondary), ("accent", .accent),
    ]
    private static let backgrounds: [(String, CardColor)] = [("card", .card), ("page", .page)]

    @Test func `default texts have AA contrast on default backgrounds`() {
        for (name, text) in Self.texts {
            for (place, background) in Self.backgrounds {
                #expect(contrast(text.light, background.light) >= 4.5, "\(name) on \(place), light")
                #expect(contrast(text.dark, background.dark) >= 4.5, "\(name) on \(place), dark")
            }
        }
    }

    @Test func `unread marks and dismiss buttons have AA contrast`() {
        for (mark, background) in [
            (CardColor.accent, CardColor.card), (.accent, .page), (.dismiss, .card), (.dismiss, .dismissCircle),
        ] {
            #expect(contrast(mark.light, background.light) >= 3)
            #expect(contrast(mark.dark, background.dark) >= 3)
        }
    }

    @Test func `the page's texts have AA contrast on their backgrounds`() {
        let pairs: [(String, CardColor, CardColor)] = [
            ("main button", .onAccent, .accent), ("main button, hovered", .onAccent, .strongAccent),
            ("quiet button, hovered", .accent, .hover.over(.page)), ("button, hovered", .accent, .hover.over(.card)),
            ("error", .danger, .page), ("delete", .danger, .hover.over(.page)), ("delete on a card", .danger, .card),
            ("notice", .primary, .notice), ("undo", .strongAccent, .notice),
            ("undo, hovered", .strongAccent, .hover.over(.notice)), ("placeholder", .secondary, .placeholder),
        ]
        for (name, text, background) in pairs {
            #expect(contrast(text.light, background.light) >= 4.5, "\(name), light")
            #expect(contrast(text.dark, background.dark) >= 4.5, "\(name), dark")
        }
    }

    @Test func `the page's marks have AA contrast`() {
        let (black, white) = (CardColor(light: .init(0)), CardColor(light: .init(0xFFFFFF)))
        let pairs: [(String, CardColor, CardColor)] = [
            ("dismiss, hovered", .dismiss, .dismissHover), ("field", .fieldBorder, .card),
            ("field on the page", .fieldBorder, .page),
            ("dismiss on a dark picture", .dismiss, .dismissOnPicture.over(black)),
            ("dismiss on a light picture", .dismiss, .dismissOnPicture.over(white)),
        ]
        for (name, mark, background) in pairs {
            #expect(contrast(mark.light, background.light) >= 3, "\(name), light")
            #expect(contrast(mark.dark, background.dark) >= 3, "\(name), dark")
        }
    }

    @Test func `contrast is computed as WCAG defines it`() {
        let (black, white) = (CardColor.RGBA(0), CardColor.RGBA(0xFFFFFF))
        #expect(abs(contrast(black, white) - 21) < 0.001)
        #expect(abs(contrast(CardColor.RGBA(0x777777), white) - 4.48) < 0.01)
    }

    private func contrast(_ one: CardColor.RGBA, _ two: CardColor.RGBA) -> Double {
        let lights = [luminance(one), luminance(two)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    private func luminance(_ color: CardColor.RGBA) -> Double {
        let parts = [color.red, color.green, color.blue].map { byte -> Double in
            let part = Double(byte) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}

extension CardColor {
    /// The color of this one drawn over another.
    fileprivate func over(_ other: CardColor) -> CardColor {
        CardColor(light: light.over(other.light), dark: dark.over(other.dark))
    }
}

extension CardColor.RGBA {
    fileprivate func over(_ other: Self) -> Self {
        func mixed(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) * Double(alpha) + Double(two) * Double(255 - alpha)) / 255)
        }
        return Self(red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
    }
}
