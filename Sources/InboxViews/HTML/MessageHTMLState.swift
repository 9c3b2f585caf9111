public import HTMLViews

/// The state of a ``MessageHTMLModel``.
public enum MessageHTMLState: Sendable {
    /// Nothing is shown yet.
    case loading
    /// The message's HTML.
    case shown(HTMLPage)
    /// The message has no HTML. A card shows it.
    case withoutHTML
    /// The message has expired, or was deleted or recalled.
    case gone
    /// The reason why nothing is shown. ``MessageHTMLModel/retry()`` tries it again.
    case failed(any Error)

    /// The page, if one is shown.
    public var page: HTMLPage? {
        if case .shown(let page) = self { page } else { nil }
    }
}
