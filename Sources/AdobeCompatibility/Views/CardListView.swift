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
                refreshable(ScrollView(.vertical) { content })
            }
        }

        @ViewBuilder private var content: some View {
            let insets = EdgeInsets(inbox.contentInsets)
            if cards.isEmpty {
                EmptyInboxView(inbox: inbox).padding(insets)
            } else if isRow {
                ScrollView(.horizontal) {
                    LazyHStack(alignment: .top, spacing: inbox.cardSpacing) { list }.padding(insets)
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
            if inbox.hasMore {
                ProgressView()
                    .accessibilityLabel(inbox.texts[.loadMore])
                    .onAppear { inbox.loadMore() }
                    // With a new identity it appears again if it is still on screen below the added cards.
                    .id(cards.count)
            }
        }

        @ViewBuilder private func refreshable<V: View>(_ view: V) -> some View {
            if inbox.isPullToRefreshEnabled { view.refreshable { await inbox.refreshed() } } else { view }
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
