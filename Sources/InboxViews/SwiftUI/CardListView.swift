#if canImport(SwiftUI)
    import InboxCards
    import SwiftUI

    /// The cards of an ``InboxUI``, below each other or in a row, or what stands where there are none.
    struct CardListView: View {
        let inbox: InboxUI
        let cards: [ContentCardUI]

        var body: some View {
            VStack(alignment: .leading, spacing: 0) {
                if let heading = inbox.inboxSchemaData?.heading { headingView(heading) }
                if cards.isEmpty {
                    refreshable(ScrollView(.vertical) { EmptyInboxView(inbox: inbox) })
                } else if inbox.inboxSchemaData?.layout == .horizontal {
                    ScrollView(.horizontal) { LazyHStack(alignment: .top, spacing: inbox.cardSpacing) { list } }
                        .frame(maxWidth: .infinity)
                } else {
                    refreshable(ScrollView(.vertical) { LazyVStack(spacing: inbox.cardSpacing) { list } })
                }
            }
        }

        @ViewBuilder private func headingView(_ heading: TextElement) -> some View {
            if let custom = inbox.customViews.heading {
                custom(heading)
            } else {
                TextView(text: heading).padding(EdgeInsets(inbox.contentInsets))
            }
        }

        @ViewBuilder private var list: some View {
            ForEach(cards) { card in
                CardView(item: card).frame(maxWidth: inbox.inboxSchemaData?.layout == .horizontal ? 320 : .infinity)
            }
            .padding(.horizontal, 0)
            if inbox.hasMore {
                ProgressView()
                    .accessibilityLabel(inbox.texts[.loadMore])
                    .onAppear { inbox.loadMore() }
            }
        }

        @ViewBuilder private func refreshable<V: View>(_ view: V) -> some View {
            let padded = view.contentMargins(.all, EdgeInsets(inbox.contentInsets), for: .scrollContent)
            if inbox.isPullToRefreshEnabled {
                padded.refreshable { await inbox.refreshed() }
            } else {
                padded
            }
        }
    }

    /// What stands where there are no cards.
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
                        text: settings?.message ?? TextElement(inbox.texts[.noCards], font: .title, alignment: .center)
                    )
                }
                .frame(maxWidth: .infinity)
                .padding()
            }
        }
    }
#endif
