public import InboxModel

/// The settings of a surface, prepared for display.
public struct SurfaceAppearance: Hashable, Sendable {
    /// The heading above the cards, or nil if there is none.
    public var heading: TextElement?
    /// The direction in which cards are laid out.
    public var layout: StackElement.Axis
    /// The number of cards shown at first, and added each time more are requested. Nil for no limit.
    public var capacity: Int?
    /// The content of the empty state. Nil if the settings contain none.
    public var emptyState: EmptyState?
    /// Whether unread cards have an indicator.
    public var showsUnread: Bool
    /// The unread indicator.
    public var unreadIndicator: UnreadIndicator

    /// Reads settings. An unknown layout is vertical.
    public init(_ settings: InboxSettings) {
        heading = settings.title.map {
            TextElement($0, font: .heading, color: .primary, role: .heading(level: 1))
        }
        layout = settings.layout == .horizontal ? .horizontal : .vertical
        capacity = settings.capacity
        emptyState = EmptyState(settings)
        showsUnread = settings.unreadIndicator.isShown
        unreadIndicator = settings.unreadIndicator
    }

    /// The content of a surface without cards.
    public struct EmptyState: Hashable, Sendable {
        /// The text.
        public var message: TextElement?
        /// The image above the text, at most 120 points high.
        public var image: ImageElement?

        /// Reads settings. Returns nil if they contain no empty state.
        public init?(_ settings: InboxSettings) {
            let texts = [settings.emptyTitle, settings.emptyMessage].compactMap { $0 }
            guard !texts.isEmpty || settings.emptyImage != nil else { return nil }
            message = texts.isEmpty ? nil : TextElement(texts.joined(separator: "\n"), font: .title, alignment: .center)
            image = settings.emptyImage.map { ImageElement($0, maxHeight: 120) }
        }
    }
}
