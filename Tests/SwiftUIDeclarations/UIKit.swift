// Declarations of the part of UIKit's API that this package uses, from Apple's public documentation.
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
}

open class UIColor: NSObject, @unchecked Sendable {
    private let provider: (UITraitCollection) -> [CGFloat]
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        provider = { _ in [red, green, blue, alpha] }
    }
    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        provider = { dynamicProvider($0).provider($0) }
    }
    /// Red, green, blue and alpha; not part of Apple's API.
    @_spi(Running) public func parts(isDark: Bool) -> [CGFloat] { provider(UITraitCollection(isDark: isDark)) }
    open class var clear: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    open class var label: UIColor { clear }
    open class var secondaryLabel: UIColor { clear }
    open class var systemBackground: UIColor { clear }
    open class var systemGroupedBackground: UIColor { clear }
    open class var systemBlue: UIColor { clear }
    open class var systemRed: UIColor { clear }
    open class var systemGray5: UIColor { clear }
    open class var black: UIColor { clear }
    open class var white: UIColor { clear }
    open class var red: UIColor { clear }
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

open class UITraitCollection: NSObject {
    open var displayScale: CGFloat { 2 }
    private let isDark: Bool
    init(isDark: Bool = false) { self.isDark = isDark }
    open var userInterfaceStyle: UIUserInterfaceStyle { isDark ? .dark : .light }
}

public protocol UITraitDefinition {}
public typealias UITrait = any UITraitDefinition.Type
public struct UITraitUserInterfaceStyle: UITraitDefinition {}
public struct UITraitPreferredContentSizeCategory: UITraitDefinition {}

@MainActor
public protocol UITraitEnvironment: NSObjectProtocol {
    var traitCollection: UITraitCollection { get }
}

public protocol UITraitChangeRegistration {}

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
    ) -> any UITraitChangeRegistration { fatalError() }
}

@MainActor
open class UIView: UIResponder, UITraitEnvironment, UITraitChangeObservable {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    open class var noIntrinsicMetric: CGFloat { -1 }
    open var frame: CGRect = .zero
    open var bounds: CGRect = .zero
    open var isOpaque = true
    open var isHidden = false
    open var backgroundColor: UIColor?
    open var translatesAutoresizingMaskIntoConstraints = true
    open var intrinsicContentSize: CGSize { .zero }
    open var traitCollection: UITraitCollection { UITraitCollection() }
    open var layer: CALayer { CALayer() }
    open var clipsToBounds = false
    open var contentMode = ContentMode.scaleToFill
    open var tintColor: UIColor!
    open var subviews: [UIView] { [] }
    public enum ContentMode: Int, Sendable {
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight
        case bottomLeft, bottomRight
    }
    open var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
    open var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
    open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open func addSubview(_ view: UIView) {}
    open func removeFromSuperview() {}
    open func layoutSubviews() {}
    open func setNeedsLayout() {}
    open func invalidateIntrinsicContentSize() {}
}

@MainActor
open class NSLayoutConstraint: NSObject {
    open class func activate(_ constraints: [NSLayoutConstraint]) {}
    open var isActive = false
    open var constant: CGFloat = 0
}

@MainActor
open class NSLayoutXAxisAnchor: NSObject {
    open func constraint(equalTo anchor: NSLayoutXAxisAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
    open func constraint(equalTo anchor: NSLayoutXAxisAnchor, constant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint()
    }
}

@MainActor
open class NSLayoutYAxisAnchor: NSObject {
    open func constraint(equalTo anchor: NSLayoutYAxisAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
    open func constraint(equalTo anchor: NSLayoutYAxisAnchor, constant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint()
    }
}

@MainActor
open class NSLayoutDimension: NSObject {
    open func constraint(equalTo anchor: NSLayoutDimension) -> NSLayoutConstraint { NSLayoutConstraint() }
    open func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint()
    }
    open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { NSLayoutConstraint() }
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { NSLayoutConstraint() }
}

@MainActor
open class UIScrollView: UIView {
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic, scrollableAxes, never, always
    }
    open var bounces = true
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    open var contentLayoutGuide: UILayoutGuide { UILayoutGuide() }
    open var frameLayoutGuide: UILayoutGuide { UILayoutGuide() }
    open var refreshControl: UIRefreshControl?
}

@MainActor
open class UIStackView: UIView {
    public convenience init(arrangedSubviews views: [UIView]) { fatalError() }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init(coder: NSCoder) { fatalError() }
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var alignment = Alignment.fill
    open var spacing: CGFloat = 0
    open func addArrangedSubview(_ view: UIView) {}
    public enum Alignment: Int, Sendable {
        case fill, leading, firstBaseline, center, trailing, lastBaseline
        public static var top: Alignment { .leading }
        public static var bottom: Alignment { .trailing }
    }
}

extension NSLayoutConstraint {
    public enum Axis: Int, Sendable { case horizontal, vertical }
}

@MainActor
open class UIFont: NSObject {
    public struct TextStyle: Hashable, Sendable {
        public static let body = Self(), subheadline = Self(), caption2 = Self()
    }
    public struct Weight: Hashable, RawRepresentable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let ultraLight = Self(rawValue: -0.8), thin = Self(rawValue: -0.6), light = Self(rawValue: -0.4)
        public static let regular = Self(rawValue: 0), medium = Self(rawValue: 0.23), semibold = Self(rawValue: 0.3)
        public static let bold = Self(rawValue: 0.4), heavy = Self(rawValue: 0.56), black = Self(rawValue: 0.62)
    }
    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont() }
    open class func systemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight) -> UIFont { UIFont() }
    open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont() }
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

@MainActor
open class UIFontMetrics: NSObject {
    public init(forTextStyle textStyle: UIFont.TextStyle) {}
    open func scaledFont(for font: UIFont) -> UIFont { font }
    open func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat { value }
}

@MainActor
open class UILabel: UIView {
    open var text: String?
    open var font: UIFont!
    open var textColor: UIColor!
    open var textAlignment = NSTextAlignment.natural
    open var numberOfLines = 1
    open var adjustsFontForContentSizeCategory = false
}

@MainActor
open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable { case medium = 100, large = 101 }
    public init(style: Style) { super.init(frame: .zero) }
    public required init(coder: NSCoder) { fatalError() }
    open func startAnimating() {}
    open func stopAnimating() {}
    open var hidesWhenStopped = true
    open var color: UIColor!
}

@MainActor
open class UIAction: NSObject {
    public typealias Handler = @MainActor (UIAction) -> Void
    public convenience init(title: String = "", handler: @escaping Handler) { fatalError() }
}

@MainActor
open class UIControl: UIView {
    public struct State: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal = Self([]), highlighted = Self(rawValue: 1), disabled = Self(rawValue: 2)
    }
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchUpInside = Self(rawValue: 1 << 6), valueChanged = Self(rawValue: 1 << 12)
    }
    open var isEnabled = true
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {}
}

@MainActor
open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable { case custom = 0, system = 1 }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { fatalError() }
    open var titleLabel: UILabel? { nil }
    open func setTitle(_ title: String?, for state: UIControl.State) {}
    open func setTitleColor(_ color: UIColor?, for state: UIControl.State) {}
    open func setImage(_ image: UIImage?, for state: UIControl.State) {}
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) { fatalError() }
}
