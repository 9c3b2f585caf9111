// Declarations of SwiftUI's layout, from Apple's public documentation.
public import Foundation

// MARK: - Layout

public struct HorizontalAlignment: Equatable, Sendable {
    let name: String
    public static let leading = Self(name: "leading"), center = Self(name: "center")
    public static let trailing = Self(name: "trailing")
}

public struct VerticalAlignment: Equatable, Sendable {
    let name: String
    public static let top = Self(name: "top"), center = Self(name: "center"), bottom = Self(name: "bottom")
}

public struct Alignment: Hashable, Sendable {
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
    ) {
        drawing = Drawing(.stack(Stacking(axis: .horizontal, alignment: alignment.name, spacing: spacing)), content())
    }
    public var body: Never { fatalError() }
}

public struct VStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        drawing = Drawing(.stack(Stacking(axis: .vertical, alignment: alignment.name, spacing: spacing)), content())
    }
    public var body: Never { fatalError() }
}

public struct LazyHStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        drawing = Drawing(
            .lazyStack(Stacking(axis: .horizontal, alignment: alignment.name, spacing: spacing)),
            content()
        )
    }
    public var body: Never { fatalError() }
}

public struct LazyVStack<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        drawing = Drawing(.lazyStack(Stacking(axis: .vertical, alignment: alignment.name, spacing: spacing)), content())
    }
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
