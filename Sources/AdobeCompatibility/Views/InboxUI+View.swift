#if canImport(SwiftUI)
    public import InboxCards
    import InboxViews
    public import SwiftUI

    extension InboxUI {
        /// The inbox as a SwiftUI view: the heading and the cards, or a view for an inbox that is loading, empty or
        /// unavailable.
        public var view: some View { InboxView(inbox: self) }

        /// The space around the cards, in points: 12 above and below and 16 at the sides by default.
        public var contentPadding: EdgeInsets {
            get { EdgeInsets(contentInsets) }
            set {
                contentInsets = CardInsets(
                    top: newValue.top,
                    leading: newValue.leading,
                    bottom: newValue.bottom,
                    trailing: newValue.trailing
                )
            }
        }

        /// Sets the background of the inbox, such as a color, a gradient or an image.
        public func setBackground<V: View>(_ view: V) {
            customViews.background = AnyView(view)
        }

        /// Sets the view that is shown while the inbox loads.
        public func setLoadingView(_ builder: @escaping () -> AnyView) {
            customViews.loading = builder
        }

        /// Sets the view that is shown if the inbox can't be loaded.
        public func setErrorView(_ builder: @escaping (any Error) -> AnyView) {
            customViews.error = builder
        }

        /// Sets the view that is shown if there are no cards. The builder receives the surface's settings for this
        /// case, if there are any.
        public func setEmptyView(_ builder: @escaping (EmptyStateSettings?) -> AnyView) {
            customViews.empty = builder
        }

        /// Sets the view above the cards. The builder receives the heading of the surface's settings. Without a
        /// heading, no view is shown.
        public func setHeadingView(_ builder: @escaping (TextElement) -> AnyView) {
            customViews.heading = builder
        }
    }

    /// The app's replacements for the views of an ``InboxUI``; nil for the default ones.
    struct InboxCustomViews {
        var background: AnyView?
        var loading: (() -> AnyView)?
        var error: ((any Error) -> AnyView)?
        var empty: ((EmptyStateSettings?) -> AnyView)?
        var heading: ((TextElement) -> AnyView)?
    }
#endif
