// Declarations of UIKit's colors, fonts, texts, pictures and controls, from Apple's public documentation. Values of
// colors and fonts are those of the Human Interface Guidelines.
//
// https://developer.apple.com/documentation/uikit
public import Foundation

// MARK: - Colors and fonts

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
    open class var label: UIColor { UIColor(0x000000, dark: 0xFFFFFF) }
    open class var secondaryLabel: UIColor { UIColor(0x3C3C43, dark: 0xEBEBF5, alpha: 0.6) }
    open class var systemBackground: UIColor { UIColor(0xFFFFFF, dark: 0x000000) }
    open class var systemGroupedBackground: UIColor { UIColor(0xF2F2F7, dark: 0x000000) }
    open class var systemBlue: UIColor { UIColor(0x007AFF, dark: 0x0A84FF) }
    open class var systemRed: UIColor { UIColor(0xFF3B30, dark: 0xFF453A) }
    open class var systemGray5: UIColor { UIColor(0xE5E5EA, dark: 0x2C2C2E) }
    open class var black: UIColor { UIColor(0x000000, dark: 0x000000) }
    open class var white: UIColor { UIColor(0xFFFFFF, dark: 0xFFFFFF) }
    open class var red: UIColor { UIColor(0xFF0000, dark: 0xFF0000) }
}

extension UIColor {
    fileprivate convenience init(_ light: Int, dark: Int, alpha: CGFloat = 1) {
        self.init {
            let bits = $0.userInterfaceStyle == .dark ? dark : light
            return UIColor(
                red: CGFloat(bits >> 16) / 255,
                green: CGFloat(bits >> 8 & 0xFF) / 255,
                blue: CGFloat(bits & 0xFF) / 255,
                alpha: alpha
            )
        }
    }
}

@MainActor
open class UIFont: NSObject {
    public struct TextStyle: Hashable, Sendable {
        fileprivate let size: CGFloat
        public static let body = Self(size: 17), subheadline = Self(size: 15), caption2 = Self(size: 11)
    }
    public struct Weight: Hashable, RawRepresentable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let ultraLight = Self(rawValue: -0.8), thin = Self(rawValue: -0.6), light = Self(rawValue: -0.4)
        public static let regular = Self(rawValue: 0), medium = Self(rawValue: 0.23), semibold = Self(rawValue: 0.3)
        public static let bold = Self(rawValue: 0.4), heavy = Self(rawValue: 0.56), black = Self(rawValue: 0.62)
    }
    public let pointSize: CGFloat
    /// The weight; not part of Apple's API.
    @_spi(Running) public let weight: Weight
    private init(_ size: CGFloat, _ weight: Weight) { (pointSize, self.weight) = (size, weight) }
    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .regular) }
    open class func systemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight) -> UIFont { UIFont(fontSize, weight) }
    open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize, .bold) }
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(style.size, .regular) }
}

@MainActor
open class UIFontMetrics: NSObject {
    public init(forTextStyle textStyle: UIFont.TextStyle) {}
    open func scaledFont(for font: UIFont) -> UIFont { font }
    open func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat { value }
}

// MARK: - Texts and pictures

public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }

@MainActor
open class UILabel: UIView {
    open var text: String?
    open var font: UIFont! = .systemFont(ofSize: 17)
    open var textColor: UIColor! = .label
    open var textAlignment = NSTextAlignment.natural
    open var numberOfLines = 1
    open var adjustsFontForContentSizeCategory = false
}

open class UIImage: NSObject, @unchecked Sendable {
    /// The name of a symbol, or of a picture of the app; not part of Apple's API.
    @_spi(Running) public private(set) var name = ""
    public convenience init?(systemName name: String) {
        self.init()
        self.name = name
    }
    public convenience init?(named name: String) {
        self.init()
        self.name = name
    }
    // Nothing decodes pictures: one without a name stands for any.
    public convenience init?(data: Data) {
        if data.isEmpty { return nil }
        self.init()
    }
    open var size: CGSize { .zero }
    open func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage? { nil }
}

@MainActor
open class UIImageView: UIView {
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }
    open var image: UIImage?
}

@MainActor
open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable { case medium = 100, large = 101 }
    public let style: Style
    public init(style: Style) {
        self.style = style
        super.init(frame: .zero)
    }
    public required init(coder: NSCoder) {
        style = .medium
        super.init(frame: .zero)
    }
    open private(set) var isAnimating = false
    open func startAnimating() { isAnimating = true }
    open func stopAnimating() { isAnimating = false }
    open var hidesWhenStopped = true
    open var color: UIColor!
}

// MARK: - Controls

@MainActor
open class UIAction: NSObject {
    public typealias Handler = @MainActor (UIAction) -> Void
    open var title = ""
    private var handler: Handler?
    public convenience init(title: String = "", handler: @escaping Handler) {
        self.init()
        (self.title, self.handler) = (title, handler)
    }
    fileprivate func perform() { handler?(self) }
    /// Does what a tap does; not part of Apple's API.
    @_spi(Running) public func run() { perform() }
}

@MainActor
open class UIControl: UIView {
    public struct State: OptionSet, Hashable, Sendable {
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
    private var actions: [(UIAction, Event)] = []
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
        actions.append((action, controlEvents))
    }
    open func sendActions(for controlEvents: UIControl.Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.perform() }
    }
}

@MainActor
open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable { case custom = 0, system = 1 }
    private var titles: [State: String] = [:]
    private var colors: [State: UIColor] = [:]
    private var images: [State: UIImage] = [:]
    open private(set) var buttonType = ButtonType.custom
    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(frame: .zero) }
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero)
        self.buttonType = buttonType
        guard let primaryAction else { return }
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: .touchUpInside)
    }
    public let titleLabel: UILabel? = UILabel(frame: .zero)
    public let imageView: UIImageView? = UIImageView(frame: .zero)
    /// Nothing is measured: the icon and the text are in the same place, until a button moves them.
    open override func layoutSubviews() {
        super.layoutSubviews()
        imageView?.frame = .zero
        titleLabel?.frame = .zero
    }
    open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }
    open func setTitleColor(_ color: UIColor?, for state: UIControl.State) { colors[state] = color }
    open func setImage(_ image: UIImage?, for state: UIControl.State) { images[state] = image }
    open var currentTitle: String? { titles[.normal] }
    open var currentTitleColor: UIColor {
        colors[.normal] ?? (buttonType == .system ? tintColor ?? .systemBlue : .white)
    }
    open var currentImage: UIImage? { images[.normal] }
}

@MainActor
open class UIRefreshControl: UIControl {
    open func endRefreshing() {}
}
