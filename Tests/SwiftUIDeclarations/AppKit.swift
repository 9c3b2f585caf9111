// Declarations of the part of AppKit's API that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/appkit
@_exported import Foundation

@MainActor
open class NSResponder: NSObject {
    open var nextResponder: NSResponder?
    open func scrollWheel(with event: NSEvent) {}
}

open class NSEvent: NSObject {
    open var scrollingDeltaX: CGFloat { 0 }
    open var scrollingDeltaY: CGFloat { 0 }
}

open class NSAppearance: NSObject {
    public struct Name: Hashable, Sendable {
        public static let aqua = Self(), darkAqua = Self()
    }
    open func bestMatch(from appearances: [Name]) -> Name? { nil }
}

open class NSColor: NSObject {
    public typealias Name = String
    public init(name colorName: Name?, dynamicProvider: @escaping (NSAppearance) -> NSColor) {}
    public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    open class var clear: NSColor { NSColor(srgbRed: 0, green: 0, blue: 0, alpha: 0) }
}

@MainActor
open class NSView: NSResponder {
    public init(frame frameRect: NSRect) {}
    public required init?(coder: NSCoder) {}
    open class var noIntrinsicMetric: CGFloat { -1 }
    open var frame: NSRect = .zero
    open var bounds: NSRect = .zero
    open var intrinsicContentSize: NSSize { .zero }
    open func addSubview(_ view: NSView) {}
    open func layout() {}
    open func invalidateIntrinsicContentSize() {}
    open func setAccessibilityLabel(_ accessibilityLabel: String?) {}
}

@MainActor
open class NSWindow: NSResponder {
    public override init() {}
}

@MainActor
open class NSApplication: NSResponder {
    open class var shared: NSApplication { app }
    private static let app = NSApplication()
    open var keyWindow: NSWindow? { nil }
}
