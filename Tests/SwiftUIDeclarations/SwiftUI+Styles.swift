// Declarations of SwiftUI's shapes, colors and fonts, from Apple's public documentation. Their values are those of the
// Human Interface Guidelines.
public import Foundation

#if canImport(UIKit)
    @_spi(Running) public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

// MARK: - Shapes

public protocol ShapeStyle: Sendable {}
public protocol Animatable {
    associatedtype AnimatableData
    var animatableData: AnimatableData { get set }
}
public struct EmptyAnimatableData: Equatable, Sendable {}
extension Animatable where AnimatableData == EmptyAnimatableData {
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}
public protocol Shape: Animatable, Sendable, View where AnimatableData == EmptyAnimatableData {}

extension Shape {
    public nonisolated func fill<S: ShapeStyle>(_ style: S) -> Modified<Self> { Modified(self, look: .fill(style)) }
}

public struct Rectangle: Shape, Drawable, Outlined {
    nonisolated var outline: Outline { .rectangle }
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.shape(outline)) }
    public var body: Never { fatalError() }
}

public struct Circle: Shape, Drawable, Outlined {
    nonisolated var outline: Outline { .circle }
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.shape(outline)) }
    public var body: Never { fatalError() }
}

public struct Capsule: Shape, Drawable, Outlined {
    nonisolated var outline: Outline { .capsule }
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.shape(outline)) }
    public var body: Never { fatalError() }
}

public struct RoundedRectangle: Shape, Drawable, Outlined {
    nonisolated let outline: Outline
    var drawing: Drawing { Drawing(.shape(outline)) }
    public nonisolated init(cornerRadius: CGFloat) { outline = .rounded(cornerRadius) }
    public var body: Never { fatalError() }
}

// MARK: - Colors

public struct Color: View, ShapeStyle, Hashable, Drawable {
    /// The parts of the color, or its name.
    let name: String
    let light, dark: ColorParts
    public enum RGBColorSpace: Sendable { case sRGB, sRGBLinear, displayP3 }
    public nonisolated init(
        _ space: RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {
        self.init("\(red) \(green) \(blue) \(opacity)", ColorParts(red, green, blue, opacity))
    }
    public nonisolated init(white: Double) { self.init("white \(white)", ColorParts(white, white, white)) }
    nonisolated init(_ name: String, _ light: ColorParts, dark: ColorParts? = nil) {
        (self.name, self.light, self.dark) = (name, light, dark ?? light)
    }
    public nonisolated static let blue = Color("blue", ColorParts(hex: 0x007AFF), dark: ColorParts(hex: 0x0A84FF))
    public nonisolated static let purple = Color("purple", ColorParts(hex: 0xAF52DE), dark: ColorParts(hex: 0xBF5AF2))
    public nonisolated static let red = Color("red", ColorParts(hex: 0xFF3B30), dark: ColorParts(hex: 0xFF453A))
    public nonisolated static let gray = Color("gray", ColorParts(hex: 0x8E8E93))
    public nonisolated static let clear = Color("clear", ColorParts(hex: 0, 0))
    public nonisolated static let white = Color("white", ColorParts(hex: 0xFFFFFF))
    public nonisolated static let primary = Color("primary", ColorParts(hex: 0), dark: ColorParts(hex: 0xFFFFFF))
    public nonisolated static let secondary = Color(
        "secondary",
        ColorParts(hex: 0x3C3C43, 0.6),
        dark: ColorParts(hex: 0xEBEBF5, 0.6)
    )
    public nonisolated static let accentColor = Color("accent", blue.light, dark: blue.dark)
    public nonisolated func opacity(_ opacity: Double) -> Color {
        var (light, dark) = (light, dark)
        light.opacity *= opacity
        dark.opacity *= opacity
        return Color("\(name), \(opacity)", light, dark: dark)
    }
    #if canImport(UIKit)
        public nonisolated init(uiColor: UIColor) {
            let (light, dark) = (uiColor.parts(isDark: false), uiColor.parts(isDark: true))
            self.init("\(light) \(dark)", ColorParts(light), dark: ColorParts(dark))
        }
        public nonisolated init(_ color: UIColor) { self.init(uiColor: color) }
    #elseif canImport(AppKit)
        public nonisolated init(nsColor: NSColor) { self.init("\(nsColor)", ColorParts(hex: 0, 0)) }
    #endif
    var drawing: Drawing { Drawing(.color(self)) }
    public var body: Never { fatalError() }
}

#if canImport(UIKit)
    extension ColorParts {
        /// What a color of UIKit consists of.
        nonisolated init(_ parts: [CGFloat]) { self.init(parts[0], parts[1], parts[2], parts[3]) }
    }
#endif

extension ShapeStyle where Self == Color {
    public static var blue: Color { Color.blue }
    public static var gray: Color { Color.gray }
}

/// A level of the foreground style around.
public struct HierarchicalShapeStyle: ShapeStyle, Hashable {
    let name: String
    public static let primary = Self(name: "primary"), secondary = Self(name: "secondary")
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { .primary }
    public static var secondary: HierarchicalShapeStyle { .secondary }
}

public struct LinearGradient: View, ShapeStyle, Drawable {
    let colors: [Color]
    public nonisolated init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) { self.colors = colors }
    var drawing: Drawing { Drawing(.gradient(colors)) }
    public var body: Never { fatalError() }
}

public struct Material: ShapeStyle {
    public static let regular = Self()
}
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { .regular }
}

// MARK: - Fonts

public struct Font: Hashable, Sendable {
    /// The style's name, or the size and weight.
    let name: String
    /// The size in points, at the usual text size.
    let size: CGFloat
    let weight: Weight
    var isItalic = false
    public struct Weight: Hashable, Sendable, CustomStringConvertible {
        /// As in CSS.
        let value: Int
        let name: String
        public var description: String { name }
        public static let light = Self(value: 300, name: "light"), regular = Self(value: 400, name: "regular")
        public static let medium = Self(value: 500, name: "medium"), semibold = Self(value: 600, name: "semibold")
        public static let bold = Self(value: 700, name: "bold")
    }
    public enum TextStyle: Hashable, Sendable {
        case largeTitle, title, title2, headline, body, subheadline, footnote, caption
    }
    private init(_ name: String, _ size: CGFloat, _ weight: Weight = .regular) {
        (self.name, self.size, self.weight) = (name, size, weight)
    }
    public static func system(size: CGFloat, weight: Weight? = nil) -> Font {
        Font("\(size) \(weight ?? .regular)", size, weight ?? .regular)
    }
    public static let largeTitle = Font("largeTitle", 34)
    public static let title2 = Font("title2", 22), headline = Font("headline", 17, .semibold), body = Font("body", 17)
    public static let subheadline = Font("subheadline", 15), footnote = Font("footnote", 13)
    public static let caption2 = Font("caption2", 11)
    public func italic() -> Font {
        var font = Font("\(name) italic", size, weight)
        font.isItalic = true
        return font
    }
}
