public import InboxModel

/// What a surface's settings say of the whole inbox, made ready to be shown.
public struct InboxSchemaData: Hashable, Sendable {
    /// What stands above the cards; nil for nothing.
    public var heading: TextElement?
    /// In which direction the cards follow each other.
    public var layout: StackElement.Axis
    /// How many cards are shown at first, and how many more whenever more are asked for; nil for no such limit.
    public var capacity: Int?
    /// What stands where there are no cards; nil where the settings say nothing of it.
    public var emptyStateSettings: EmptyStateSettings?
    /// Whether unread cards are marked.
    public var isUnreadEnabled: Bool
    /// How they are marked.
    public var unreadIndicator: UnreadIndicator

    /// Reads settings. A layout that isn't known is vertical.
    public init(_ settings: InboxSettings) {
        heading = settings.title.map {
            TextElement($0, font: .heading, color: .primary, role: .heading(level: 1))
        }
        layout = settings.layout == .horizontal ? .horizontal : .vertical
        capacity = settings.capacity
        emptyStateSettings = EmptyStateSettings(settings)
        isUnreadEnabled = settings.unreadIndicator.isShown
        unreadIndicator = settings.unreadIndicator
    }
}

/// What stands where there are no cards.
public struct EmptyStateSettings: Hashable, Sendable {
    /// What it says.
    public var message: TextElement?
    /// A picture above it, at most 120 points high.
    public var image: ImageElement?

    /// What settings say of it; nil where they say nothing.
    public init?(_ settings: InboxSettings) {
        let texts = [settings.emptyTitle, settings.emptyMessage].compactMap { $0 }
        guard !texts.isEmpty || settings.emptyImage != nil else { return nil }
        message = texts.isEmpty ? nil : TextElement(texts.joined(separator: "\n"), font: .title, alignment: .center)
        image = settings.emptyImage.map { ImageElement($0, maxHeight: 120) }
    }
}
