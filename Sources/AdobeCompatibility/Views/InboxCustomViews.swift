#if canImport(SwiftUI)
    import InboxCards
    import InboxViews
    import SwiftUI

    /// The app's replacements for the views of an ``InboxUI``; nil for the default ones.
    struct InboxCustomViews {
        var background: AnyView?
        var loading: (() -> AnyView)?
        var error: ((any Error) -> AnyView)?
        var empty: ((EmptyStateSettings?) -> AnyView)?
        var heading: ((TextElement) -> AnyView)?
    }
#endif
