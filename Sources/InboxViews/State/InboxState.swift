/// What an ``InboxUI`` shows.
public enum InboxState {
    /// Nothing yet.
    case loading
    /// These cards; an empty inbox has none.
    case loaded([ContentCardUI])
    /// Nothing, and why. An inbox that has cards to show goes on showing them when a refresh fails.
    case error(any Error)

    /// The cards; none where it isn't loaded.
    public var cards: [ContentCardUI] {
        if case .loaded(let cards) = self { cards } else { [] }
    }

    /// Whether there is something to show, be it that the inbox is empty.
    public var isLoaded: Bool {
        if case .loaded = self { true } else { false }
    }
}
