#if canImport(SwiftUI)
    import InboxCards
    import SwiftUI

    /// What an app shows in place of an ``InboxUI``'s own views; nil for the usual ones.
    struct InboxCustomViews {
        var background: AnyView?
        var loading: (() -> AnyView)?
        var error: ((any Error) -> AnyView)?
        var empty: ((EmptyStateSettings?) -> AnyView)?
        var heading: ((TextElement) -> AnyView)?
    }
#endif
