// Declarations of what hands files to other apps, of attributes of texts, and of the bridge from UIKit. As in
// SwiftUI.swift, they follow Apple's public documentation.
public import Foundation

#if canImport(UIKit)
    public import UIKit
#endif

public struct ShareLink<Label: View>: View, Drawable {
    let drawing: Drawing
    public nonisolated init(item: URL, @ViewBuilder label: () -> Label) {
        let label = label()
        drawing = Drawing(.share(item)) { _ in [Part(.label, label)] }
    }
    public var body: Never { fatalError() }
}

extension AttributeScopes {
    public struct SwiftUIAttributes: AttributeScope {
        public let backgroundColor: BackgroundColorAttribute
    }

    public var swiftUI: SwiftUIAttributes.Type { SwiftUIAttributes.self }
}

extension AttributeScopes.SwiftUIAttributes {
    public enum BackgroundColorAttribute: AttributedStringKey {
        public typealias Value = Color
        public static let name = "SwiftUI.BackgroundColor"
    }
}

extension AttributeDynamicLookup {
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.SwiftUIAttributes, T>
    ) -> T { self[T.self] }
}

#if canImport(UIKit)
    public struct UIHostingControllerSizingOptions: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let preferredContentSize = Self(rawValue: 1), intrinsicContentSize = Self(rawValue: 2)
    }

    @MainActor @preconcurrency
    open class UIHostingController<Content: View>: UIViewController {
        public init(rootView: Content) {
            self.rootView = rootView
            super.init(nibName: nil, bundle: nil)
        }
        public required init?(coder: NSCoder) { nil }
        open var rootView: Content
        open var sizingOptions: UIHostingControllerSizingOptions = []
    }
#endif
