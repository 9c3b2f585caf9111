/// A text as a screen shows it, with the style applied.
public struct AppInboxLabel: Hashable, Sendable {
    /// The text.
    public var text: String
    /// The maximum number of lines, after which the text is truncated; 0 for all of it.
    public var maximumLines: Int
    /// Whether it is shown.
    public var isVisible: Bool
    /// The color; nil for the default one.
    public var color: AppInboxColor?
    /// The size in points, which grows with the person's text size.
    public var size: Double
    /// The weight.
    public var weight: AppInboxFontWeight

    init(_ text: String, lines: Int = 0, _ appearance: AppInboxTextAppearance) {
        self.text = appearance.text ?? text
        maximumLines = lines
        isVisible = appearance.isVisible
        color = appearance.color
        size = appearance.size
        weight = appearance.weight
    }
}
