// Declarations of the part of SwiftUI's API that this package uses, from Apple's public documentation, so that its
// views can be type-checked and run without SwiftUI. SwiftUI+Drawing.swift says how they run.
//
// https://developer.apple.com/documentation/swiftui
@_exported @_spi(Running) public import Combine
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

public struct EmptyView: View, Drawable {
    public nonisolated init() {}
    var drawing: Drawing { Drawing(.group) }
    public var body: Never { fatalError() }
}

public struct TupleView<T>: View, Drawable {
    let drawing: Drawing
    nonisolated init(_ views: [any View]) {
        drawing = Drawing(.group) { _ in views.enumerated().map { Part(.content, $0.element, key: $0.offset) } }
    }
    public var body: Never { fatalError() }
}

public struct ConditionalContent<True: View, False: View>: View, Drawable {
    let drawing: Drawing
    nonisolated init(_ view: any View, isFirst: Bool) {
        drawing = Drawing(.group) { _ in [Part(.content, view, key: isFirst)] }
    }
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

extension Optional: Drawable where Wrapped: View {
    var drawing: Drawing {
        let view = self
        return Drawing(.group) { _ in view.map { [Part(.content, $0)] } ?? [] }
    }
}

public struct AnyView: View, Drawable {
    let drawing: Drawing
    public nonisolated init<V: View>(_ view: V) { drawing = Drawing(.group, view) }
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        var views: [any View] = []
        repeat views.append(each content)
        return TupleView(views)
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildEither<True: View, False: View>(first: True) -> ConditionalContent<True, False> {
        ConditionalContent(first, isFirst: true)
    }
    public static func buildEither<True: View, False: View>(second: False) -> ConditionalContent<True, False> {
        ConditionalContent(second, isFirst: false)
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

/// A key of a table of texts, which the tests don't have: it is the text itself.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    let text: String
    public init(_ value: String) { text = value }
    public init(stringLiteral value: String) { text = value }
}

public struct Text: View, Drawable {
    let drawing: Drawing
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ content: S) { drawing = Drawing(.text(String(content))) }
    public nonisolated init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) { drawing = Drawing(.text(key.text)) }
    public nonisolated init(_ attributedContent: AttributedString) {
        drawing = Drawing(.text(String(attributedContent.characters)))
    }
    public var body: Never { fatalError() }
}

public struct Image: View, Drawable {
    /// The name of a symbol, or of a picture of the app.
    private let name: String
    private let isResizable: Bool
    public enum ResizingMode { case tile, stretch }
    public nonisolated init(systemName: String) { (name, isResizable) = (systemName, false) }
    public nonisolated init(_ name: String) { (self.name, isResizable) = (name, false) }
    private nonisolated init(resizable name: String) { (self.name, isResizable) = (name, true) }
    public func resizable() -> Image { Image(resizable: name) }
    var drawing: Drawing { Drawing(.image(name, isResizable: isResizable)) }
    public var body: Never { fatalError() }
}

public struct Transaction {
    public init() {}
}

public enum AsyncImagePhase: Sendable {
    case empty
    case success(Image)
    case failure(any Error)
    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

public struct AsyncImage<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(
        url: URL?,
        scale: CGFloat = 1,
        transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) {
        drawing = Drawing(.picture(url)) { environment in
            [Part(.content, content(environment.pictures.phase(of: url)))]
        }
    }
    public var body: Never { fatalError() }
}

public struct ProgressView: View, Drawable {
    private let value: Double?
    public nonisolated init() { value = nil }
    public nonisolated init<V: BinaryFloatingPoint>(value: V?, total: V = 1) {
        self.value = value.map { Double($0 / total) }
    }
    var drawing: Drawing { Drawing(.progress(value)) }
    public var body: Never { fatalError() }
}

public struct Button<Label: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(label(), role: nil, action: action)
    }
    nonisolated init(_ label: Label, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        drawing = Drawing(.button(role, action)) { _ in [Part(.label, label)] }
    }
    public var body: Never { fatalError() }
}

extension Button where Label == Text {
    public nonisolated init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(Text(titleKey), role: nil, action: action)
    }
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(Text(title), role: nil, action: action)
    }
}

public struct Group<Content: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(@ViewBuilder content: () -> Content) { drawing = Drawing(.group, content()) }
    public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, Drawable {
    let drawing: Drawing
    nonisolated init(_ data: Data, _ id: @escaping (Data.Element) -> ID, _ content: @escaping (Data.Element) -> Content)
    {
        drawing = Drawing(.group) { _ in data.map { Part(.content, content($0), key: id($0)) } }
    }
    public var body: Never { fatalError() }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data, \.id, content)
    }
}

extension ForEach {
    public nonisolated init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data, { $0[keyPath: id] }, content)
    }
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

        var representation: Drawing {
            Drawing(
                .platform {
                    makeUIView(context: UIViewRepresentableContext())
                } update: {
                    if let view = $0 as? UIViewType { updateUIView(view, context: UIViewRepresentableContext()) }
                }
            )
        }
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

        var representation: Drawing {
            Drawing(
                .platform {
                    makeNSView(context: NSViewRepresentableContext())
                } update: {
                    if let view = $0 as? NSViewType { updateNSView(view, context: NSViewRepresentableContext()) }
                }
            )
        }
    }

    @MainActor @preconcurrency
    public struct NSViewRepresentableContext<View: NSViewRepresentable> {}
#endif

// MARK: - Geometry

public struct NamedCoordinateSpace: Equatable {}

public protocol CoordinateSpaceProtocol {}
extension NamedCoordinateSpace: CoordinateSpaceProtocol {}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    public static func scrollView(axis: Axis) -> NamedCoordinateSpace { NamedCoordinateSpace() }
}

/// Each view on screen is wholly within the scroll views around it.
public struct GeometryProxy {
    public let size: CGSize
    public func bounds(of coordinateSpace: NamedCoordinateSpace) -> CGRect? { CGRect(origin: .zero, size: size) }
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
