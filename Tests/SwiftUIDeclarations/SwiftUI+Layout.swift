// Declarations of SwiftUI's layout, shapes and styles, from Apple's public documentation.
public import Foundation

#if canImport(UIKit)
    @_spi(Running) public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

// MARK: - Layout

public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = Self(), center = Self(), trailing = Self()
}

public struct VerticalAlignment: Equatable, Sendable {
    public static let top = Self(), center = Self(), bottom = Self()
}

public struct Alignment: Equatable, Sendable {
    let name: String
    public static let center = Self(name: "center"), leading = Self(name: "leading"), trailing = Self(name: "trailing")
    public static let top = Self(name: "top"), bottom = Self(name: "bottom")
    public static let topLeading = Self(name: "topLeading"), topTrailing = Self(name: "topTrailing")
    public static let bottomLeading = Self(name: "bottomLeading"), bottomTrailing = Self(name: "bottomTrailing")
}

public enum TextAlignment: Hashable, Sendable { case leading, center, trailing }
public enum LayoutDirection: Hashable, Sendable { case leftToRight, rightToLeft }
public enum ContentMode: Hashable, Sendable { case fit, fill }

public struct UnitPoint: Hashable, Sendable {
    public static let top = Self(), bottom = Self(), leading = Self(), trailing = Self()
}

public enum Axis: Int8, Sendable {
    case horizontal, vertical
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1), vertical = Set(rawValue: 2)
    }
}

public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1), leading = Set(rawValue: 2), bottom = Set(rawValue: 4)
        public static let trailing = Set(rawValue: 8), all = Set(rawValue: 15), horizontal = Set(rawValue: 10)
        public static let vertical = Set(rawValue: 5)
    }
}

public struct EdgeInsets: Equatable, Sendable {
    public var top, leading, bottom, trailing: CGFloat
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }
}

public struct HStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { drawing = Drawing(.stack, content()) }
    public var body: Never { fatalError() }
}

public struct VStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { drawing = Drawing(.stack, content()) }
    public var body: Never { fatalError() }
}

public struct LazyHStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { drawing = Drawing(.lazyStack, content()) }
    public var body: Never { fatalError() }
}

public struct LazyVStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { drawing = Drawing(.lazyStack, content()) }
    public var body: Never { fatalError() }
}

public struct ScrollView<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) { drawing = Drawing(.scroll(axes), content()) }
    public var body: Never { fatalError() }
}

public struct NavigationStack<Root: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(@ViewBuilder root: () -> Root) { drawing = Drawing(.navigation, root()) }
    public var body: Never { fatalError() }
}

// MARK: - Shapes and styles

public protocol ShapeStyle: Sendable {}
public protocol Shape: View, Sendable {}

extension Shape {
    public nonisolated func fill<S: ShapeStyle>(_ style: S) -> Modified<Self> {
        Modified(self, look: "fill", style)
    }
}

public struct Rectangle: Shape, Drawable {
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.shape) }
    public var body: Never { fatalError() }
}

public struct Circle: Shape, Drawable {
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.shape) }
    public var body: Never { fatalError() }
}

public struct RoundedRectangle: Shape, Drawable {
    var drawing: Drawing { Drawing(.shape) }
    public nonisolated init(cornerRadius: CGFloat) {}
    public var body: Never { fatalError() }
}

public struct Color: View, ShapeStyle, Hashable, Drawable {
    /// The parts of the color, or its name.
    let name: String
    public enum RGBColorSpace: Sendable { case sRGB, sRGBLinear, displayP3 }
    public nonisolated init(
        _ space: RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {
        name = "\(red) \(green) \(blue) \(opacity)"
    }
    public nonisolated init(white: Double) { name = "white \(white)" }
    nonisolated init(name: String) { self.name = name }
    public nonisolated static let blue = Color(name: "blue"), purple = Color(name: "purple")
    public nonisolated static let secondary = Color(name: "secondary"), primary = Color(name: "primary")
    public nonisolated static let accentColor = Color(name: "accent")
    public nonisolated static let white = Color(name: "white"), red = Color(name: "red"), gray = Color(name: "gray")
    public nonisolated func opacity(_ opacity: Double) -> Color { Color(name: "\(name), \(opacity)") }
    #if canImport(UIKit)
        public nonisolated init(uiColor: UIColor) {
            name = "\(uiColor.parts(isDark: false)) \(uiColor.parts(isDark: true))"
        }
        public nonisolated init(_ color: UIColor) { self.init(uiColor: color) }
    #elseif canImport(AppKit)
        public nonisolated init(nsColor: NSColor) { name = "\(nsColor)" }
    #endif
    var drawing: Drawing { Drawing(.color(self)) }
    public var body: Never { fatalError() }
}

extension ShapeStyle where Self == Color {
    public static var secondary: Color { Color.secondary }
    public static var primary: Color { Color.primary }
}

public struct LinearGradient: View, ShapeStyle, Drawable {
    let colors: [Color]
    public nonisolated init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) { self.colors = colors }
    var drawing: Drawing { Drawing(.color(Color(name: colors.map(\.name).joined(separator: ", ")))) }
    public var body: Never { fatalError() }
}

public struct Font: Hashable, Sendable {
    /// The style's name, or the size.
    let name: String
    public enum Weight: Hashable, Sendable { case light, regular, medium, semibold, bold }
    public enum TextStyle: Hashable, Sendable {
        case largeTitle, title, title2, headline, body, subheadline, footnote, caption
    }
    public static func system(size: CGFloat, weight: Weight? = nil) -> Font {
        Font(name: "\(size) \(weight ?? .regular)")
    }
    public static let title2 = Font(name: "title2"), body = Font(name: "body"), headline = Font(name: "headline")
    public static let subheadline = Font(name: "subheadline"), footnote = Font(name: "footnote")
    public static let caption2 = Font(name: "caption2")
    public func italic() -> Font { Font(name: "\(name) italic") }
}

public struct Capsule: Shape, Drawable {
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.shape) }
    public var body: Never { fatalError() }
}

public struct Material: ShapeStyle {
    public static let regular = Self()
}
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { .regular }
}

extension ShapeStyle where Self == Color {
    public static var blue: Color { Color.blue }
    public static var gray: Color { Color.gray }
}
