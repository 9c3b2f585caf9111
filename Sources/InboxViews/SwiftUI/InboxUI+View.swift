#if canImport(SwiftUI)
    public import InboxCards
    public import SwiftUI

    extension InboxUI {
        /// The inbox as a SwiftUI view: heading, cards, and what stands there while it loads, where it is empty and
        /// where it can't be shown.
        public var view: some View { InboxView(inbox: self) }

        /// The space around the cards, in points: 12 above and below, 16 at the sides, unless it is set.
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

        /// Puts a view behind the inbox, such as a colour, a gradient or a picture.
        public func setBackground<V: View>(_ view: V) {
            customViews.background = AnyView(view)
        }

        /// Shows another view while the inbox loads.
        public func setLoadingView(_ builder: @escaping () -> AnyView) {
            customViews.loading = builder
        }

        /// Shows another view where the inbox can't be loaded.
        public func setErrorView(_ builder: @escaping (any Error) -> AnyView) {
            customViews.error = builder
        }

        /// Shows another view where there are no cards. It gets what the surface's settings say of that, if anything.
        public func setEmptyView(_ builder: @escaping (EmptyStateSettings?) -> AnyView) {
            customViews.empty = builder
        }

        /// Shows another view above the cards. It gets the heading of the surface's settings; without one, nothing
        /// stands there.
        public func setHeadingView(_ builder: @escaping (TextElement) -> AnyView) {
            customViews.heading = builder
        }
    }
#endif
