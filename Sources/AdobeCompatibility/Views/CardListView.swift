#if canImport(SwiftUI)
    import InboxCards
    import InboxViews
    import SwiftUI

    /// The cards of an ``InboxUI`` in a column or a row, or the placeholder of an empty inbox.
    struct CardListView: View {
        let inbox: InboxUI
        let cards: [ContentCardUI]

        var body: some View {
            VStack(alignment: .leading, spacing: 0) {
                if let heading = inbox.inboxSchemaData?.heading { headingView(heading) }
                PullableView(isEnabled: inbox.isPullToRefreshEnabled) {
                    await inbox.refreshed()
                } content: {
                    ScrollView(.vertical) { content }
                }
            }
        }

        @ViewBuilder private var content: some View {
            let insets = EdgeInsets(inbox.contentInsets)
            if cards.isEmpty {
                EmptyInboxView(inbox: inbox).padding(insets)
            } else if isRow {
                // As high as the highest card. A lazy row has the height of those that are loaded, and jumps.
                ScrollView(.horizontal) {
                    HStack(alignment: .top, spacing: inbox.cardSpacing) { list }.padding(insets)
                }
            } else {
                LazyVStack(spacing: inbox.cardSpacing) { list }.padding(insets)
            }
        }

        private var isRow: Bool { inbox.inboxSchemaData?.layout == .horizontal }

        @ViewBuilder private func headingView(_ heading: TextElement) -> some View {
            if let custom = inbox.customViews.heading {
                custom(heading)
            } else {
                TextView(text: heading).padding(EdgeInsets(inbox.contentInsets))
            }
        }

        @ViewBuilder private var list: some View {
            ForEach(cards) { card in
                if isRow {
                    CardView(item: card).frame(width: 320)
                } else {
                    // As wide as text is read with ease.
                    CardView(item: card).frame(maxWidth: 640).frame(maxWidth: .infinity)
                }
            }
            if inbox.hasMore, !inbox.endsAtCapacity {
                ProgressView()
                    .accessibilityLabel(inbox.texts[.loadMore])
                    .onGeometryChange(for: Bool.self) { geometry in
                        geometry.visibleShare > 0
                    } action: { isVisible in
                        if isVisible { inbox.loadMore() }
                    }
                    // With a new identity it is reported again if it is still visible after the added cards.
                    .id(cards.count)
            }
        }
    }

    /// The placeholder of an inbox without cards.
    private struct EmptyInboxView: View {
        let inbox: InboxUI

        var body: some View {
            let settings = inbox.inboxSchemaData?.emptyStateSettings
            if let custom = inbox.customViews.empty {
                custom(settings)
            } else {
                VStack(spacing: 12) {
                    if let image = settings?.image { ImageView(image: image) }
                    TextView(
                        text: settings?.message ?? TextElement(inbox.texts.noCards, font: .title, alignment: .center)
                    )
                }
                .frame(maxWidth: .infinity)
                .padding()
            }
        }
    }
#endif
