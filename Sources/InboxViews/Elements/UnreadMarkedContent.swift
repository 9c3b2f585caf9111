#if canImport(SwiftUI)
    package import InboxCards
    package import SwiftUI

    /// The content of a card with its unread indicator beside it: within the card's padding, at the content's upper or
    /// lower edge, and over none of it. The indicator's place stays free once the message is read.
    package struct UnreadMarkedContent<Content: View>: View {
        private let content: Content
        private let icon: UnreadElement?
        private let isUnread: Bool
        /// The size of the indicator, which scales with the text size.
        @ScaledMetric private var size: CGFloat

        /// - Parameters:
        ///   - content: The content.
        ///   - icon: The indicator; nil for none.
        ///   - isUnread: Whether the indicator is shown.
        package init(_ content: Content, icon: UnreadElement?, isUnread: Bool) {
            (self.content, self.icon, self.isUnread) = (content, icon, isUnread)
            _size = ScaledMetric(wrappedValue: CGFloat(icon?.size ?? 0), relativeTo: .body)
        }

        package var body: some View {
            content
                .padding(icon?.placement.isLeading ?? true ? .leading : .trailing, icon == nil ? 0 : size + 4)
                .frame(maxWidth: .infinity, alignment: .leading)
                .overlay(alignment: Alignment(icon?.placement)) {
                    if isUnread, let icon { UnreadView(icon: icon) }
                }
        }
    }

    extension UnreadElement.Corner {
        fileprivate var isLeading: Bool {
            switch self {
            case .topLeading, .bottomLeading: true
            case .topTrailing, .bottomTrailing: false
            }
        }
    }
#endif
