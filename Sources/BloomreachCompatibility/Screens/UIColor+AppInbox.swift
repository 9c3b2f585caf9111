#if canImport(UIKit)
    import UIKit

    extension UIColor {
        /// A style's color.
        convenience init(_ color: AppInboxColor) {
            self.init(
                red: CGFloat(color.red) / 255,
                green: CGFloat(color.green) / 255,
                blue: CGFloat(color.blue) / 255,
                alpha: CGFloat(color.alpha)
            )
        }
    }

    extension UIFont {
        /// The system's font, scaled to the person's text size.
        static func appInbox(size: Double, weight: AppInboxFontWeight) -> UIFont {
            let font = UIFont.systemFont(ofSize: CGFloat(size), weight: UIFont.Weight(weight))
            return UIFontMetrics(forTextStyle: .body).scaledFont(for: font)
        }
    }

    extension UIFont.Weight {
        init(_ weight: AppInboxFontWeight) {
            switch weight.value {
            case 100: self = .ultraLight
            case 200: self = .thin
            case 300: self = .light
            case 500: self = .medium
            case 600: self = .semibold
            case 700: self = .bold
            case 800: self = .heavy
            case 900: self = .black
            default: self = .regular
            }
        }
    }
#endif
