// What the declared views keep of their look, for whoever draws them. Nothing here is part of Apple's API.
import Foundation

/// What a modifier changes of a view's look.
enum Look {
    case frame(Frame)
    case padding(EdgeInsets)
    case clip(Outline)
    case fill(any ShapeStyle)
    case foreground([any ShapeStyle])
    case font(Font?), fontWeight(Font.Weight?)
    case alignment(TextAlignment), lineLimit(Int?)
    case aspectRatio(CGFloat?, ContentMode)
    case border(any ShapeStyle, width: CGFloat)
    case buttonStyle(any PrimitiveButtonStyle), listStyle(any ListStyle), pickerStyle(any PickerStyle)
    case rowInsets(EdgeInsets?), rowSeparator(Visibility), rowBackground(any View)
    /// Whether a list has the system's background.
    case listBackground(Visibility)
    /// It reaches the edges of the screen, also under bars.
    case ignoresSafeArea
    /// It changes what can be touched or selected, or how the view moves.
    case behavior(String)
}

/// The sizes that a frame offers to its content; nil for those that it leaves alone.
struct Frame {
    var width, height: CGFloat?
    var minWidth, maxWidth, minHeight, maxHeight: CGFloat?
    var alignment = Alignment.center
}

/// How a stack is laid out.
struct Stacking {
    let axis: Axis
    /// `leading`, `center`, `trailing`, `top` or `bottom`, across the axis.
    let alignment: String
    /// Nil for the system's spacing.
    let spacing: CGFloat?
}

/// The outline of a shape.
enum Outline: Hashable, Sendable {
    case rectangle, circle, capsule
    case rounded(CGFloat)
}

/// A shape with an outline.
protocol Outlined {
    nonisolated var outline: Outline { get }
}

extension Shape {
    /// The outline; a rectangle for a shape of the app's own.
    nonisolated var knownOutline: Outline { (self as? any Outlined)?.outline ?? .rectangle }
}

/// Red, green, blue and opacity, from 0 to 1.
struct ColorParts: Hashable, Sendable {
    var red, green, blue: Double
    var opacity = 1.0

    init(_ red: Double, _ green: Double, _ blue: Double, _ opacity: Double = 1) {
        (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
    }

    /// A color of 24 bits.
    init(hex: Int, _ opacity: Double = 1) {
        self.init(Double(hex >> 16) / 255, Double(hex >> 8 & 0xFF) / 255, Double(hex & 0xFF) / 255, opacity)
    }
}
