// Declarations of the part of SwiftUI's API that this package uses, from Apple's public documentation, so that its
// views can be type-checked without SwiftUI. The declarations do nothing and are never linked.
//
// https://developer.apple.com/documentation/swiftui
@_exported public import Combine
@_exported import Foundation

#if canImport(UIKit)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

// MARK: - Views

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

/// The result of the modifiers below.
public struct Modified<Content: View>: View {
    public var body: Never { fatalError() }
}

public struct EmptyView: View {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct TupleView<T>: View {
    public var body: Never { fatalError() }
}

public struct ConditionalContent<True: View, False: View>: View {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

public struct AnyView: View {
    public nonisolated init<V: View>(_ view: V) {}
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        fatalError()
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildEither<True: View, False: View>(first: True) -> ConditionalContent<True, False> {
        fatalError()
    }
    public static func buildEither<True: View, False: View>(second: False) -> ConditionalContent<True, False> {
        fatalError()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

public struct Text: View {
    public nonisolated init<S: StringProtocol>(_ content: S) {}
    public nonisolated init(_ attributedContent: AttributedString) {}
    public var body: Never { fatalError() }
}

public struct Image: View {
    public enum ResizingMode { case tile, stretch }
    public nonisolated init(systemName: String) {}
    public nonisolated init(_ name: String) {}
    public func resizable() -> Image { self }
    public var body: Never { fatalError() }
}

public enum AsyncImagePhase {
    case empty
    case success(Image)
    case failure(any Error)
    public var image: Image? { nil }
    public var error: (any Error)? { nil }
}

public struct AsyncImage<Content: View>: View {
    public nonisolated init(
        url: URL?,
        scale: CGFloat = 1,
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) {}
    public var body: Never { fatalError() }
}

public struct ProgressView: View {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct Button<Label: View>: View {
    public nonisolated init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    public var body: Never { fatalError() }
}

extension Button where Label == Text {
    public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

public struct Group<Content: View>: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public var body: Never { fatalError() }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

extension ForEach {
    public nonisolated init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}

// MARK: - Layout

public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = Self(), center = Self(), trailing = Self()
}

public struct VerticalAlignment: Equatable, Sendable {
    public static let top = Self(), center = Self(), bottom = Self()
}

public struct Alignment: Equatable, Sendable {
    public static let center = Self(), leading = Self(), trailing = Self(), top = Self(), bottom = Self()
    public static let topLeading = Self(), topTrailing = Self(), bottomLeading = Self(), bottomTrailing = Self()
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

public struct HStack<Content: View>: View {
    public nonisolated init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

public struct VStack<Content: View>: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

public struct LazyHStack<Content: View>: View {
    public nonisolated init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

public struct LazyVStack<Content: View>: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

public struct ScrollView<Content: View>: View {
    public nonisolated init(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

public struct NavigationStack<Root: View>: View {
    public nonisolated init(@ViewBuilder root: () -> Root) {}
    public var body: Never { fatalError() }
}

// MARK: - Shapes and styles

public protocol ShapeStyle: Sendable {}
public protocol Shape: View, Sendable {}

extension Shape {
    public nonisolated func fill<S: ShapeStyle>(_ style: S) -> Modified<Self> { fatalError() }
}

public struct Rectangle: Shape {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct Circle: Shape {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct RoundedRectangle: Shape {
    public nonisolated init(cornerRadius: CGFloat) {}
    public var body: Never { fatalError() }
}

public struct Color: View, ShapeStyle, Hashable {
    public enum RGBColorSpace: Sendable { case sRGB, sRGBLinear, displayP3 }
    public nonisolated init(
        _ space: RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {}
    public nonisolated init(white: Double) {}
    public nonisolated static let blue = Color(white: 0), purple = Color(white: 0), secondary = Color(white: 0)
    public nonisolated static let primary = Color(white: 0), accentColor = Color(white: 0)
    public nonisolated func opacity(_ opacity: Double) -> Color { self }
    #if canImport(UIKit)
        public nonisolated init(uiColor: UIColor) {}
        public nonisolated init(_ color: UIColor) {}
    #elseif canImport(AppKit)
        public nonisolated init(nsColor: NSColor) {}
    #endif
    public var body: Never { fatalError() }
}

extension ShapeStyle where Self == Color {
    public static var secondary: Color { Color.secondary }
    public static var primary: Color { Color.primary }
}

public struct LinearGradient: View, ShapeStyle {
    public nonisolated init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {}
    public var body: Never { fatalError() }
}

public struct Font: Hashable, Sendable {
    public enum Weight: Hashable, Sendable { case light, regular, medium, semibold, bold }
    public enum TextStyle: Hashable, Sendable {
        case largeTitle, title, title2, headline, body, subheadline, footnote, caption
    }
    public static func system(size: CGFloat, weight: Weight? = nil) -> Font { Font() }
    public static let title2 = Font(), body = Font(), headline = Font(), subheadline = Font()
    public func italic() -> Font { self }
}

// MARK: - State and environment

public protocol DynamicProperty {
    mutating func update()
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

@MainActor @preconcurrency
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public var wrappedValue: ObjectType
}

@propertyWrapper
public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}

@propertyWrapper
public struct ScaledMetric<Value>: DynamicProperty {
    public init(wrappedValue: Value, relativeTo style: Font.TextStyle) {}
    public var wrappedValue: Value { fatalError() }
}

public enum ColorScheme: Hashable, Sendable { case light, dark }

public struct EnvironmentValues {
    public var openURL: OpenURLAction { OpenURLAction() }
    public var dismiss: DismissAction { DismissAction() }
    public var colorScheme: ColorScheme { .light }
    public var font: Font? {
        get { nil }
        set {}
    }
    public var layoutDirection: LayoutDirection {
        get { .leftToRight }
        set {}
    }
}

@MainActor @preconcurrency
public struct OpenURLAction {
    nonisolated init() {}
    public func callAsFunction(_ url: URL) {}
}

@MainActor @preconcurrency
public struct DismissAction {
    nonisolated init() {}
    public func callAsFunction() {}
}

// MARK: - Views of the platform

#if canImport(UIKit)
    @MainActor @preconcurrency
    public protocol UIViewRepresentable: View where Body == Never {
        associatedtype UIViewType: UIView
        associatedtype Coordinator = Void
        func makeUIView(context: Context) -> UIViewType
        func updateUIView(_ uiView: UIViewType, context: Context)
        typealias Context = UIViewRepresentableContext<Self>
    }

    extension UIViewRepresentable {
        public var body: Never { fatalError() }
    }

    @MainActor @preconcurrency
    public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
#elseif canImport(AppKit)
    @MainActor @preconcurrency
    public protocol NSViewRepresentable: View where Body == Never {
        associatedtype NSViewType: NSView
        associatedtype Coordinator = Void
        func makeNSView(context: Context) -> NSViewType
        func updateNSView(_ nsView: NSViewType, context: Context)
        typealias Context = NSViewRepresentableContext<Self>
    }

    extension NSViewRepresentable {
        public var body: Never { fatalError() }
    }

    @MainActor @preconcurrency
    public struct NSViewRepresentableContext<View: NSViewRepresentable> {}
#endif

// MARK: - Geometry

public struct NamedCoordinateSpace: Sendable {}

public protocol CoordinateSpaceProtocol: Sendable {}
extension NamedCoordinateSpace: CoordinateSpaceProtocol {}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    public static func scrollView(axis: Axis) -> NamedCoordinateSpace { NamedCoordinateSpace() }
}

public struct GeometryProxy: Sendable {
    public var size: CGSize { .zero }
    public func bounds(of coordinateSpace: NamedCoordinateSpace) -> CGRect? { nil }
}

// MARK: - Modifiers

public struct AccessibilityTraits: SetAlgebra, Sendable {
    public typealias Element = Self
    public init() {}
    public func contains(_ member: Self) -> Bool { false }
    public func union(_ other: Self) -> Self { self }
    public func intersection(_ other: Self) -> Self { self }
    public func symmetricDifference(_ other: Self) -> Self { self }
    public mutating func insert(_ newMember: Self) -> (inserted: Bool, memberAfterInsert: Self) { (true, self) }
    public mutating func remove(_ member: Self) -> Self? { nil }
    public mutating func update(with newMember: Self) -> Self? { nil }
    public mutating func formUnion(_ other: Self) {}
    public mutating func formIntersection(_ other: Self) {}
    public mutating func formSymmetricDifference(_ other: Self) {}
    public static let isButton = Self(), isHeader = Self()
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let contain = Self(), combine = Self(), ignore = Self()
}

public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

public protocol PrimitiveButtonStyle: Sendable {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension View {
    public nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
        -> some View
    {
        Modified<Self>()
    }
    public nonisolated func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { Modified<Self>() }
    public nonisolated func padding(_ insets: EdgeInsets) -> some View { Modified<Self>() }
    public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        Modified<Self>()
    }
    public nonisolated func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V)
        -> some View
    {
        Modified<Self>()
    }
    public nonisolated func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View
    {
        Modified<Self>()
    }
    public nonisolated func clipShape<S: Shape>(_ shape: S) -> some View { Modified<Self>() }
    public nonisolated func contentShape<S: Shape>(_ shape: S) -> some View { Modified<Self>() }
    public nonisolated func ignoresSafeArea() -> some View { Modified<Self>() }
    public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        Modified<Self>()
    }
    public nonisolated func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (V, V) -> Void
    ) -> some View { Modified<Self>() }
    public nonisolated func textSelection<S: TextSelectability>(_ selectability: S) -> some View { Modified<Self>() }
    public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { Modified<Self>() }
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { Modified<Self>() }
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { Modified<Self>() }
    public nonisolated func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        Modified<Self>()
    }
    public nonisolated func onGeometryChange<T: Equatable & Sendable>(
        for type: T.Type,
        of transform: @escaping @Sendable (GeometryProxy) -> T,
        action: @escaping (T) -> Void
    ) -> some View { Modified<Self>() }
    public nonisolated func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { Modified<Self>() }
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { Modified<Self>() }
    public nonisolated func font(_ font: Font?) -> some View { Modified<Self>() }
    public nonisolated func fontWeight(_ weight: Font.Weight?) -> some View { Modified<Self>() }
    public nonisolated func foregroundColor(_ color: Color?) -> some View { Modified<Self>() }
    public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { Modified<Self>() }
    public nonisolated func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View
    {
        Modified<Self>()
    }
    public nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View { Modified<Self>() }
    public nonisolated func lineLimit(_ number: Int?) -> some View { Modified<Self>() }
    public nonisolated func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        Modified<Self>()
    }
    public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { Modified<Self>() }
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { Modified<Self>() }
    public nonisolated func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        Modified<Self>()
    }
    public nonisolated func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { Modified<Self>() }
    public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { Modified<Self>() }
    public nonisolated func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { Modified<Self>() }
    public nonisolated func accessibilityAction(_ handler: @escaping () -> Void) -> some View { Modified<Self>() }
}

// MARK: - Apps and previews

@MainActor @preconcurrency
public protocol Scene {}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}
