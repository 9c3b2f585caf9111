import Foundation
import InboxCards
import InboxModel

extension CardColor.RGBA {
    /// Returns the contrast of this color on an opaque one, from 1 to 21 (WCAG 2.2, "contrast ratio").
    func contrast(on background: Self) -> Double {
        let (one, two) = (luminance, background.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The luminance of an opaque color, from 0 to 1 (WCAG 2.2, "relative luminance").
    private var luminance: Double {
        func part(_ byte: UInt8) -> Double {
            let part = Double(byte) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    }

    /// Returns the opaque color that is seen where this one is drawn over another.
    fileprivate func over(_ other: Self) -> Self {
        func mixed(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Int(one) * Int(alpha) + Int(two) * (255 - Int(alpha))) / 255)
        }
        return Self(red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
    }
}

extension UnreadIndicator {
    /// The indicator with the backgrounds on which a card's texts have AA contrast (WCAG 2.2, section 1.4.3). In a mode
    /// in which they don't, an unread card has the background of a read one: an app can change the texts' colors, the
    /// page can't.
    var readable: UnreadIndicator {
        guard let light = background ?? darkBackground, let dark = darkBackground ?? background else { return self }
        var indicator = self
        indicator.background = Self.readable(light, in: \.light)
        indicator.darkBackground = Self.readable(dark, in: \.dark)
        return indicator
    }

    /// Returns a background as CSS, or the card's own where its texts couldn't be read on the other one.
    ///
    /// - Parameter mode: Light or dark mode.
    private static func readable(_ background: String, in mode: KeyPath<CardColor, CardColor.RGBA>) -> String {
        let seen = CardColor.RGBA(text: background).over(CardColor.page[keyPath: mode])
        let isReadable = [CardColor.primary, .secondary, .accent].allSatisfy { text in
            text[keyPath: mode].contrast(on: seen) >= 4.5
        }
        return isReadable ? background : CSS.hex(CardColor.card[keyPath: mode])
    }
}
