/// The look of the screen with the list.
public struct AppInboxListAppearance: Hashable, Sendable {
    /// The title of an empty list.
    public var emptyTitle = AppInboxTextAppearance(size: 20, weight: .bold)
    /// The text below ``emptyTitle``.
    public var emptyMessage = AppInboxTextAppearance(size: 14)
    /// The title of a list that couldn't be loaded.
    public var errorTitle = AppInboxTextAppearance(size: 20, weight: .bold)
    /// The text below ``errorTitle``.
    public var errorMessage = AppInboxTextAppearance(size: 14)
    /// The progress indicator.
    public var progress = AppInboxImageAppearance()
    /// The color behind the rows.
    public var backgroundColor: AppInboxColor?
    /// The rows.
    public var item = AppInboxRowAppearance()

    /// Creates the default appearance.
    public init() {}

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: ListScreenStyle?) {
        guard let style else { return }
        emptyTitle.apply(style.emptyTitle)
        emptyMessage.apply(style.emptyMessage)
        errorTitle.apply(style.errorTitle)
        errorMessage.apply(style.errorMessage)
        progress.apply(style.progress)
        if let color = AppInboxColor(ifKnown: style.list?.backgroundColor) { backgroundColor = color }
        item.apply(style.list?.item)
    }
}

/// The look of a row.
public struct AppInboxRowAppearance: Hashable, Sendable {
    /// The color of the row.
    public var backgroundColor: AppInboxColor?
    /// The flag of an unread message.
    public var readFlag = AppInboxImageAppearance()
    /// The relative time.
    public var receivedTime = AppInboxTextAppearance(size: 12)
    /// The title.
    public var title = AppInboxTextAppearance(size: 16, weight: .bold)
    /// The text.
    public var content = AppInboxTextAppearance(size: 14)
    /// The picture.
    public var image = AppInboxImageAppearance(backgroundColor: .placeholder)

    /// Creates the default appearance.
    public init() {}

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: AppInboxListItemStyle?) {
        guard let style else { return }
        if let color = AppInboxColor(ifKnown: style.backgroundColor) { backgroundColor = color }
        readFlag.apply(style.readFlag)
        receivedTime.apply(style.receivedTime)
        title.apply(style.title)
        content.apply(style.content)
        image.apply(style.image)
    }
}

/// The look of the screen with one message.
public struct AppInboxDetailAppearance: Hashable, Sendable {
    /// The title.
    public var title = AppInboxTextAppearance(size: 20, weight: .semibold)
    /// The text.
    public var content = AppInboxTextAppearance(size: 14)
    /// The relative time.
    public var receivedTime = AppInboxTextAppearance(size: 12)
    /// The picture, and the gray placeholder of a message without one.
    public var image = AppInboxImageAppearance(backgroundColor: .placeholder)
    /// All buttons.
    public var button = AppInboxButtonAppearance(cornerRadius: 10)

    /// Creates the default appearance.
    public init() {}

    /// Applies a style. Values that it doesn't set, or sets in an unknown notation, stay.
    public mutating func apply(_ style: DetailViewStyle?) {
        guard let style else { return }
        title.apply(style.title)
        content.apply(style.content)
        receivedTime.apply(style.receivedTime)
        image.apply(style.image)
        button.apply(style.button)
    }
}

extension AppInboxColor {
    /// The gray of a picture's placeholder, which is visible on light and on dark screens.
    static let placeholder = AppInboxColor(red: 128, green: 128, blue: 128, alpha: 0.2)
}
