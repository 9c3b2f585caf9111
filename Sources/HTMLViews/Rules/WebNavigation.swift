/// A navigation that a web view asks for.
package struct WebNavigation: Hashable, Sendable {
    /// The address.
    package var url: String
    /// The cause.
    package var cause: Cause
    /// The frame or window in which it would be shown.
    package var target: Target
    /// Whether the page itself asks, and not a frame in it.
    package var isFromPage: Bool
    /// Whether the result would be a file.
    package var isDownload: Bool

    /// The cause of a navigation.
    package enum Cause: Hashable, Sendable, CaseIterable {
        /// The person activated a link.
        case link
        /// A form was sent, or sent again.
        case form
        /// A step in the list of pages that were visited.
        case history
        /// The page is loaded again.
        case reload
        /// Anything else: a load by the app, a redirect, a script.
        case other
    }

    /// The place where the result of a navigation is shown.
    package enum Target: Hashable, Sendable, CaseIterable {
        case page
        case frame
        case newWindow
    }

    package init(
        url: String,
        cause: Cause,
        target: Target = .page,
        isFromPage: Bool = true,
        isDownload: Bool = false
    ) {
        self.url = url
        self.cause = cause
        self.target = target
        self.isFromPage = isFromPage
        self.isDownload = isDownload
    }
}
