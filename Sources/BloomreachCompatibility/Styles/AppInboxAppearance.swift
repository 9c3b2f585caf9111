/// The look of a text, as plain values. Nil stands for the platform's own.
public struct AppInboxTextAppearance: Hashable, Sendable {
    /// Whether the text is shown.
    public var isVisible = true
    /// The color.
    public var color: AppInboxColor?
    /// The size in points, at the reader's default text size.
    public var size: Double
    /// The weight.
    public var weight: AppInboxFontWeight
    /// The text in place of the usual one.
    public var text: String?

    /// Creates an appearance in the platform's color.
    public init(size: Double, weight: AppInboxFontWeight = .normal) {
        (self.size, self.weight) = (size, weight)
    }

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: TextViewStyle?) {
        guard let style else { return }
        if let visible = style.visible { isVisible = visible }
        if let color = AppInboxColor(ifKnown: style.textColor) { self.color = color }
        if let size = style.textSize.points(in: AppInboxStyle.textSizes) { self.size = size }
        if let weight = AppInboxFontWeight(ifKnown: style.textWeight) { self.weight = weight }
        if let text = style.textOverride { self.text = text }
    }
}

/// The look of a button, as plain values. Nil stands for the platform's own.
public struct AppInboxButtonAppearance: Hashable, Sendable {
    /// The label in place of the usual one.
    public var text: String?
    /// The color of the label.
    public var textColor: AppInboxColor?
    /// The color of the button.
    public var backgroundColor: AppInboxColor?
    /// Whether the button has its icon.
    public var showsIcon = true
    /// The size of the label in points, at the reader's default text size.
    public var textSize: Double
    /// The weight of the label.
    public var textWeight: AppInboxFontWeight
    /// Whether the button reacts to taps.
    public var isEnabled = true
    /// The radius of the corners in points.
    public var cornerRadius: Double

    /// Creates an appearance in the platform's colors.
    public init(textSize: Double = 17, textWeight: AppInboxFontWeight = .normal, cornerRadius: Double = 0) {
        (self.textSize, self.textWeight, self.cornerRadius) = (textSize, textWeight, cornerRadius)
    }

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: ButtonStyle?) {
        guard let style else { return }
        if let text = style.textOverride { self.text = text }
        if let color = AppInboxColor(ifKnown: style.textColor) { textColor = color }
        if let color = AppInboxColor(ifKnown: style.backgroundColor) { backgroundColor = color }
        if let showIcon = style.showIcon { showsIcon = showIcon }
        if let size = style.textSize.points(in: AppInboxStyle.textSizes) { textSize = size }
        if let weight = AppInboxFontWeight(ifKnown: style.textWeight) { textWeight = weight }
        if let enabled = style.enabled { isEnabled = enabled }
        if let radius = style.borderRadius.points(in: AppInboxStyle.radii) { cornerRadius = radius }
    }
}

/// The look of a picture, a flag or a progress indicator, as plain values. Nil stands for the platform's own.
public struct AppInboxImageAppearance: Hashable, Sendable {
    /// Whether it is shown.
    public var isVisible = true
    /// The color behind it.
    public var backgroundColor: AppInboxColor?
    /// The color of a progress indicator.
    public var progressColor: AppInboxColor?

    /// Creates an appearance in the platform's colors.
    public init(backgroundColor: AppInboxColor? = nil) { self.backgroundColor = backgroundColor }

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: ImageViewStyle?) {
        guard let style else { return }
        if let visible = style.visible { isVisible = visible }
        if let color = AppInboxColor(ifKnown: style.backgroundColor) { backgroundColor = color }
    }

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: ProgressBarStyle?) {
        guard let style else { return }
        if let visible = style.visible { isVisible = visible }
        if let color = AppInboxColor(ifKnown: style.progressColor) { progressColor = color }
        if let color = AppInboxColor(ifKnown: style.backgroundColor) { backgroundColor = color }
    }
}

extension AppInboxColor {
    /// Creates a color from a style's notation. Returns nil if there is none, or an unknown one.
    init?(ifKnown notation: String?) {
        guard let notation, let color = try? AppInboxColor(notation) else { return nil }
        self = color
    }
}

extension AppInboxFontWeight {
    fileprivate init?(ifKnown notation: String?) {
        guard let notation, let weight = try? AppInboxFontWeight(notation) else { return nil }
        self = weight
    }
}

extension String? {
    fileprivate func points(in range: ClosedRange<Double>) -> Double? {
        flatMap { try? AppInboxLength.points($0, in: range) }
    }
}
