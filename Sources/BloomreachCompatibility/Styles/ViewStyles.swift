/// The style of a text. Values that aren't set stay unchanged.
public struct TextViewStyle: Hashable, Sendable, Encodable {
    /// Whether the text is shown.
    public var visible: Bool?
    /// The color, in a notation of ``AppInboxColor``.
    public var textColor: String?
    /// The size in points: 1 to 500, with or without a unit.
    public var textSize: String?
    /// The weight, in a notation of ``AppInboxFontWeight``.
    public var textWeight: String?
    /// The text in place of the usual one.
    public var textOverride: String?

    /// Creates a style. By default it changes nothing.
    public init(
        visible: Bool? = nil,
        textColor: String? = nil,
        textSize: String? = nil,
        textWeight: String? = nil,
        textOverride: String? = nil
    ) {
        self.visible = visible
        self.textColor = textColor
        self.textSize = textSize
        self.textWeight = textWeight
        self.textOverride = textOverride
    }
}

/// The style of a button. Values that aren't set stay unchanged.
public struct ButtonStyle: Hashable, Sendable, Encodable {
    /// The label in place of the usual one.
    public var textOverride: String?
    /// The color of the label, in a notation of ``AppInboxColor``.
    public var textColor: String?
    /// The color of the button, in a notation of ``AppInboxColor``.
    public var backgroundColor: String?
    /// Whether the button has its icon, if it has one.
    public var showIcon: Bool?
    /// The size of the label in points: 1 to 500, with or without a unit.
    public var textSize: String?
    /// Whether the button reacts to taps.
    public var enabled: Bool?
    /// The radius of the corners in points: 0 to 1,000, with or without a unit.
    public var borderRadius: String?
    /// The weight of the label, in a notation of ``AppInboxFontWeight``.
    public var textWeight: String?

    /// Creates a style. By default it changes nothing.
    public init(
        textOverride: String? = nil,
        textColor: String? = nil,
        backgroundColor: String? = nil,
        showIcon: Bool? = nil,
        textSize: String? = nil,
        enabled: Bool? = nil,
        borderRadius: String? = nil,
        textWeight: String? = nil
    ) {
        self.textOverride = textOverride
        self.textColor = textColor
        self.backgroundColor = backgroundColor
        self.showIcon = showIcon
        self.textSize = textSize
        self.enabled = enabled
        self.borderRadius = borderRadius
        self.textWeight = textWeight
    }
}

/// The style of a picture, or of the flag of an unread message. Values that aren't set stay unchanged.
public struct ImageViewStyle: Hashable, Sendable, Encodable {
    /// Whether it is shown.
    public var visible: Bool?
    /// The color behind it, in a notation of ``AppInboxColor``.
    public var backgroundColor: String?

    /// Creates a style. By default it changes nothing.
    public init(visible: Bool? = nil, backgroundColor: String? = nil) {
        self.visible = visible
        self.backgroundColor = backgroundColor
    }
}

/// The style of the progress indicator. Values that aren't set stay unchanged.
public struct ProgressBarStyle: Hashable, Sendable, Encodable {
    /// Whether it is shown while the list loads.
    public var visible: Bool?
    /// The color, in a notation of ``AppInboxColor``.
    public var progressColor: String?
    /// The color behind it, in a notation of ``AppInboxColor``.
    public var backgroundColor: String?

    /// Creates a style. By default it changes nothing.
    public init(visible: Bool? = nil, progressColor: String? = nil, backgroundColor: String? = nil) {
        self.visible = visible
        self.progressColor = progressColor
        self.backgroundColor = backgroundColor
    }
}
