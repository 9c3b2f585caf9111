// Declarations of the part of UIKit's API that this package uses, from Apple's public documentation.
//
// https://developer.apple.com/documentation/uikit
@_exported import Foundation

@MainActor
open class UIResponder: NSObject {}

open class UIColor: NSObject, @unchecked Sendable {
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {}
    open class var clear: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    open class var secondaryLabel: UIColor { clear }
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

open class UITraitCollection: NSObject {
    open var userInterfaceStyle: UIUserInterfaceStyle { .light }
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
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open func addSubview(_ view: UIView) {}
    open func layoutSubviews() {}
    open func setNeedsLayout() {}
    open func invalidateIntrinsicContentSize() {}
    open var accessibilityLabel: String?
}

@MainActor
open class NSLayoutConstraint: NSObject {
    open class func activate(_ constraints: [NSLayoutConstraint]) {}
}

@MainActor
open class NSLayoutXAxisAnchor: NSObject {
    open func constraint(equalTo anchor: NSLayoutXAxisAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
}

@MainActor
open class NSLayoutYAxisAnchor: NSObject {
    open func constraint(equalTo anchor: NSLayoutYAxisAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
}

@MainActor
open class UIScrollView: UIView {
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic, scrollableAxes, never, always
    }
    open var bounces = true
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
}

@MainActor
open class UIStackView: UIView {
    public convenience init(arrangedSubviews views: [UIView]) { fatalError() }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init(coder: NSCoder) { fatalError() }
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var alignment = Alignment.fill
    open var spacing: CGFloat = 0
    public enum Alignment: Int, Sendable { case fill, leading, firstBaseline, center, trailing, lastBaseline }
}

extension NSLayoutConstraint {
    public enum Axis: Int, Sendable { case horizontal, vertical }
}

@MainActor
open class UIFont: NSObject {
    public struct TextStyle: Hashable, Sendable {
        public static let body = Self(), subheadline = Self()
    }
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

@MainActor
open class UIFontMetrics: NSObject {
    public init(forTextStyle textStyle: UIFont.TextStyle) {}
    open func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat { value }
}

@MainActor
open class UILabel: UIView {
    open var text: String?
    open var font: UIFont!
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
}

@MainActor
open class UIAction: NSObject {
    public typealias Handler = @MainActor (UIAction) -> Void
    public convenience init(title: String = "", handler: @escaping Handler) { fatalError() }
}

@MainActor
open class UIControl: UIView {}

@MainActor
open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable { case custom = 0, system = 1 }
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) { fatalError() }
}
