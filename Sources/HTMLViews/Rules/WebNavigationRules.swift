/// Decides about the navigations of a web view that shows one document.
///
/// The view opens the document that the app loads, once for each load, and nothing else. A link that the person
/// activates is handed to the app.
package struct WebNavigationRules: Hashable, Sendable {
    /// Whether a document was loaded whose navigation is still to be decided about.
    private var isLoading = false

    package init() {}

    /// A decision.
    package enum Decision: Hashable, Sendable {
        /// The document is shown.
        case allow
        /// Nothing happens.
        case cancel
        /// Nothing happens in the view. The app decides about the link's address.
        case link(String)
    }

    /// The address of a document that is loaded from memory without a base address.
    package static let documentURL = "about:blank"

    /// The app is about to load its document.
    package mutating func willLoadDocument() { isLoading = true }

    /// Decides about a navigation.
    package mutating func decide(_ navigation: WebNavigation) -> Decision {
        guard navigation.isFromPage, !navigation.isDownload else { return .cancel }
        switch navigation.cause {
        case .other:
            guard isLoading, navigation.target == .page, navigation.url == Self.documentURL else { return .cancel }
            isLoading = false
            return .allow
        case .link:
            // A frame can't be there; a link that names one isn't opened. A place in the page has the page's address.
            guard navigation.target != .frame, !Self.isPlace(navigation.url) else { return .cancel }
            return .link(navigation.url)
        case .form, .history, .reload: return .cancel
        }
    }

    /// Returns whether the answer to a navigation is shown: that of the document alone, never as a file.
    package static func shows(isPage: Bool, canShow: Bool) -> Bool { isPage && canShow }

    private static func isPlace(_ url: String) -> Bool {
        url == documentURL || url.hasPrefix(documentURL + "#")
    }
}
