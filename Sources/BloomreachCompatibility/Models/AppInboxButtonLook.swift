/// A button as a screen shows it, with the style applied.
public struct AppInboxButtonLook: Hashable, Sendable {
    /// The label.
    public var title: String
    /// The color of the label; nil for the default one.
    public var textColor: AppInboxColor?
    /// The background; nil for the default one.
    public var backgroundColor: AppInboxColor?
    /// Whether an icon is shown.
    public var showsIcon: Bool
    /// The size of the label in points, which grows with the person's text size.
    public var size: Double
    /// The weight of the label.
    public var weight: AppInboxFontWeight
    /// The radius of the corners, in points.
    public var cornerRadius: Double
    /// Whether it can be tapped.
    public var isEnabled: Bool

    init(_ title: String, hasIcon: Bool = false, _ appearance: AppInboxButtonAppearance) {
        self.title = appearance.text ?? title
        textColor = appearance.textColor
        backgroundColor = appearance.backgroundColor
        showsIcon = hasIcon && appearance.showsIcon
        size = appearance.textSize
        weight = appearance.textWeight
        cornerRadius = appearance.cornerRadius
        isEnabled = appearance.isEnabled
    }
}
