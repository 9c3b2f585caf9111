#if canImport(SwiftUI)
    package import InboxCards
    package import SwiftUI
    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    extension Color {
        /// A card's color, in its light or dark variant.
        package init(_ color: CardColor) {
            #if canImport(UIKit)
                self.init(
                    uiColor: UIColor { $0.userInterfaceStyle == .dark ? UIColor(color.dark) : UIColor(color.light) }
                )
            #elseif canImport(AppKit)
                self.init(
                    nsColor: NSColor(name: nil) { appearance in
                        let isDark = appearance.bestMatch(from: [.aqua, .darkAqua]) == .darkAqua
                        return NSColor(isDark ? color.dark : color.light)
                    }
                )
            #else
                self.init(color.light)
            #endif
        }

        fileprivate init(_ color: CardColor.RGBA) {
            self.init(
                .sRGB,
                red: Double(color.red) / 255,
                green: Double(color.green) / 255,
                blue: Double(color.blue) / 255,
                opacity: Double(color.alpha) / 255
            )
        }
    }

    #if canImport(UIKit)
        extension UIColor {
            fileprivate convenience init(_ color: CardColor.RGBA) {
                self.init(
                    red: CGFloat(color.red) / 255,
                    green: CGFloat(color.green) / 255,
                    blue: CGFloat(color.blue) / 255,
                    alpha: CGFloat(color.alpha) / 255
                )
            }
        }
    #elseif canImport(AppKit)
        extension NSColor {
            fileprivate convenience init(_ color: CardColor.RGBA) {
                self.init(
                    srgbRed: CGFloat(color.red) / 255,
                    green: CGFloat(color.green) / 255,
                    blue: CGFloat(color.blue) / 255,
                    alpha: CGFloat(color.alpha) / 255
                )
            }
        }
    #endif

    extension CardColor {
        /// A transparent color.
        package static let clear = CardColor(light: RGBA(red: 0, green: 0, blue: 0, alpha: 0))
    }

    extension Font {
        /// A card's font.
        ///
        /// - Parameter size: The size in points, scaled to the text size.
        package init(_ font: CardFont, size: CGFloat) {
            let weight: Font.Weight =
                switch font.weight {
                case .light: .light
                case .regular: .regular
                case .medium: .medium
                case .semibold: .semibold
                case .bold: .bold
                }
            let upright = Font.system(size: size, weight: weight)
            self = font.isItalic ? upright.italic() : upright
        }
    }

    extension EdgeInsets {
        package init(_ insets: CardInsets) {
            self.init(top: insets.top, leading: insets.leading, bottom: insets.bottom, trailing: insets.trailing)
        }
    }

    extension HorizontalAlignment {
        package init(_ alignment: CardAlignment) {
            self =
                switch alignment {
                case .leading: .leading
                case .center: .center
                case .trailing: .trailing
                }
        }
    }

    extension VerticalAlignment {
        package init(_ alignment: CardAlignment) {
            self =
                switch alignment {
                case .leading: .top
                case .center: .center
                case .trailing: .bottom
                }
        }
    }

    extension TextAlignment {
        package init(_ alignment: CardAlignment) {
            self =
                switch alignment {
                case .leading: .leading
                case .center: .center
                case .trailing: .trailing
                }
        }
    }
#endif
