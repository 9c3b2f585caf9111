import Foundation
import InboxCards

/// Style values as CSS. They contain only numbers and predefined names.
enum CSS {
    /// Returns points as `rem`, of 16 points each, so that lengths follow the reader's text size.
    static func length(_ points: Double) -> String {
        guard points.isFinite else { return "0" }
        let sixteenths = (min(max(points, -10_000), 10_000) / 16 * 10_000).rounded() / 10_000
        let isWhole = sixteenths == sixteenths.rounded()
        return sixteenths == 0 ? "0" : isWhole ? "\(Int(sixteenths))rem" : "\(sixteenths)rem"
    }

    /// Returns declarations of a color for light and dark mode. Browsers without `light-dark()` use the light color.
    static func color(_ property: String, _ color: CardColor) -> String {
        let light = hex(color.light)
        return color.light == color.dark
            ? "\(property):\(light)" : "\(property):\(light);\(property):\(lightDark(color))"
    }

    /// Returns a color for light and dark mode as part of a value.
    static func lightDark(_ color: CardColor) -> String { "light-dark(\(hex(color.light)),\(hex(color.dark)))" }

    static func font(_ font: CardFont) -> String {
        "font-size:\(length(font.size));font-weight:\(font.weight.rawValue)"
            + (font.isItalic ? ";font-style:italic" : "")
    }

    static func insets(_ property: String, _ insets: CardInsets) -> String {
        "\(property)-block:\(length(insets.top)) \(length(insets.bottom));"
            + "\(property)-inline:\(length(insets.leading)) \(length(insets.trailing))"
    }

    /// The declarations of a text that begins where the page's lines begin, whatever its own direction, as in apps.
    /// Chromium knows only the name with the prefix.
    static let pageAligned = "text-align:-webkit-match-parent;text-align:match-parent"

    /// Returns the declarations of a text's alignment.
    static func textAlign(_ alignment: CardAlignment) -> String {
        switch alignment {
        case .leading: pageAligned
        case .center: "text-align:center"
        case .trailing: "text-align:end"
        }
    }

    static func alignItems(_ alignment: CardAlignment) -> String {
        switch alignment {
        case .leading: "flex-start"
        case .center: "center"
        case .trailing: "flex-end"
        }
    }

    /// Returns a color as `#rrggbb`, or `#rrggbbaa` if it isn't opaque.
    static func hex(_ color: CardColor.RGBA) -> String {
        let parts = [color.red, color.green, color.blue] + (color.alpha == 255 ? [] : [color.alpha])
        return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
