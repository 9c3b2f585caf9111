// Declarations of the part of UIKit's API that this package uses, from Apple's public documentation. Views keep what
// they are made of, for tests and for the gallery of screens; nothing is laid out or drawn.
//
// https://developer.apple.com/documentation/uikit
@_exported import Foundation

// Where Foundation's requests are on Linux.
@_exported import FoundationNetworking

@MainActor
open class UIResponder: NSObject {
    // On Apple's systems it is one of NSObject's, for every object.
    open var isAccessibilityElement = false
    open var accessibilityLabel: String?
    open var accessibilityValue: String?
    open var accessibilityTraits = UIAccessibilityTraits.none
    open var canBecomeFirstResponder: Bool { false }
    @discardableResult
    open func becomeFirstResponder() -> Bool { canBecomeFirstResponder }
    open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
}

@MainActor
open class UIEvent: NSObject {
    public enum EventSubtype: Int, Sendable { case none, motionShake }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let none = Self([]), button = Self(rawValue: 1)
}

// MARK: - Traits

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

open class UITraitCollection: NSObject {
    open var displayScale: CGFloat { 2 }
    private let isDark: Bool
    init(isDark: Bool = false) { self.isDark = isDark }
    open var userInterfaceStyle: UIUserInterfaceStyle { isDark ? .dark : .light }
}

public enum UIUserInterfaceLayoutDirection: Int, Sendable { case leftToRight, rightToLeft }

public protocol UITraitDefinition {}
public typealias UITrait = any UITraitDefinition.Type
public struct UITraitUserInterfaceStyle: UITraitDefinition {}
public struct UITraitPreferredContentSizeCategory: UITraitDefinition {}

@MainActor
public protocol UITraitEnvironment: NSObjectProtocol {
    var traitCollection: UITraitCollection { get }
}

public protocol UITraitChangeRegistration {}
private struct Registration: UITraitChangeRegistration {}

@MainActor
public protocol UITraitChangeObservable {}

extension UITraitChangeObservable {
    public typealias TraitChangeHandler<TraitEnvironment: UITraitEnvironment> = (
        TraitEnvironment, UITraitCollection
    ) -> Void

    @discardableResult
    public func registerForTraitChanges<TraitEnvironment: UITraitEnvironment>(
        _ traits: [UITrait],
        handler: @escaping TraitChangeHandler<TraitEnvironment>
    ) -> any UITraitChangeRegistration { Registration() }
}

// MARK: - Views

@MainActor
open class UIView: UIResponder, UITraitEnvironment, UITraitChangeObservable {
    public init(frame: CGRect) { self.frame = frame }
    public required init?(coder: NSCoder) {}
    open class var noIntrinsicMetric: CGFloat { -1 }
    open var frame: CGRect = .zero
    open var bounds: CGRect = .zero
    open var isOpaque = true
    open var isHidden = false
    open var backgroundColor: UIColor?
    open var translatesAutoresizingMaskIntoConstraints = true
    open var intrinsicContentSize: CGSize { .zero }
    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
        superview?.effectiveUserInterfaceLayoutDirection ?? .leftToRight
    }
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    open var traitCollection: UITraitCollection {
        switch overrideUserInterfaceStyle {
        case .unspecified: superview?.traitCollection ?? UITraitCollection()
        case let style: UITraitCollection(isDark: style == .dark)
        }
    }
    public let layer = CALayer()
    open var clipsToBounds = false
    open var contentMode = ContentMode.scaleToFill
    open var tintColor: UIColor!
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    public enum ContentMode: Int, Sendable {
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight
        case bottomLeft, bottomRight
    }
    /// The active constraints whose first anchor is the view's; not part of Apple's API.
    @_spi(Running) public internal(set) var placements: [NSLayoutConstraint] = []
    open var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, .width) }
    open var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, .height) }
    open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .centerY) }
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .top) }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .bottom) }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .leading) }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .trailing) }
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
    open var window: UIWindow? { superview?.window }
    open func didMoveToWindow() {}
    open func layoutSubviews() {}
    open func setNeedsLayout() {}
    open func invalidateIntrinsicContentSize() {}

    /// Gives this view and those below it a width, and lays them out; not part of Apple's API.
    @_spi(Running) public func layOut(width: CGFloat) {
        bounds = CGRect(x: 0, y: 0, width: width, height: 100)
        layoutSubviews()
        for view in subviews { view.layOut(width: width) }
    }
}

// Of Core Animation. UIKit imports it.
open class CALayer: NSObject {
    open var cornerRadius: CGFloat = 0
}

@MainActor
open class UIScrollView: UIView {
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic, scrollableAxes, never, always
    }
    open var bounces = true
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    open var contentLayoutGuide: UILayoutGuide { UILayoutGuide(of: self) }
    open var frameLayoutGuide: UILayoutGuide { UILayoutGuide(of: self) }
    open var refreshControl: UIRefreshControl?
}

@MainActor
open class UIStackView: UIView {
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init(coder: NSCoder) { super.init(frame: .zero) }
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var alignment = Alignment.fill
    open var spacing: CGFloat = 0
    open private(set) var arrangedSubviews: [UIView] = []
    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.append(view)
        addSubview(view)
    }
    public enum Alignment: Int, Sendable {
        case fill, leading, firstBaseline, center, trailing, lastBaseline
        public static var top: Alignment { .leading }
        public static var bottom: Alignment { .trailing }
    }
}
