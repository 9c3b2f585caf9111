/// The state of an ``InboxUI``.
public enum InboxState: Sendable {
    /// Nothing is shown yet.
    case loading
    /// The cards; an empty inbox has none.
    case loaded([ContentCardUI])
    /// The reason why nothing is shown. When a refresh fails, an inbox with cards continues to show them.
    case error(any Error)

    /// The cards; none if the inbox isn't loaded.
    public var cards: [ContentCardUI] {
        if case .loaded(let cards) = self { cards } else { [] }
    }

    /// Whether the inbox is loaded, with or without cards.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }
}
