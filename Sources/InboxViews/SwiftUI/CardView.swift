#if canImport(SwiftUI)
    import InboxCards
    public import SwiftUI

    extension ContentCardUI {
        /// The card as a SwiftUI view, for use anywhere in the app.
        public var view: some View { CardView(item: self) }
    }

    /// A card and its interactions.
    struct CardView: View {
        let item: ContentCardUI
        /// The visible share when it last changed. When the screen reappears, the geometry doesn't change, and the card
        /// is visible again.
        @State private var share = 0.0

        init(item: ContentCardUI) {
            self.item = item
        }

        var body: some View {
            let card = item.card
            ElementView(element: card.content, item: item)
                .padding(EdgeInsets(card.padding))
                .padding(.trailing, card.dismissButton == nil ? 0 : 24)
                .frame(maxWidth: .infinity, alignment: .leading)
                .background { Color(card.background) }
                .clipShape(RoundedRectangle(cornerRadius: card.cornerRadius))
                .overlay(alignment: alignment(card.unreadIcon)) {
                    if let icon = card.shownUnreadIcon { UnreadView(icon: icon) }
                }
                .overlay(alignment: .topTrailing) {
                    if let button = card.dismissButton { DismissView(dismiss: button, item: item) }
                }
                .contentShape(Rectangle())
                .onTapGesture { Task { try? await item.interact() } }
                .onGeometryChange(for: Double.self) { geometry in
                    geometry.visibleShare
                } action: { visible in
                    share = visible
                    item.visibilityChanged(to: visible)
                }
                .onAppear { item.visibilityChanged(to: share) }
                .onDisappear { item.visibilityChanged(to: 0) }
                .accessibilityElement(children: .contain)
                .accessibilityLabel(card.label)
                .accessibilityAddTraits(.isButton)
                .accessibilityAction { Task { try? await item.interact() } }
        }

        private func alignment(_ icon: UnreadElement?) -> Alignment {
            switch icon?.placement {
            case .topLeading: .topLeading
            case .topTrailing, nil: .topTrailing
            case .bottomLeading: .bottomLeading
            case .bottomTrailing: .bottomTrailing
            }
        }
    }

    /// The dismiss button.
    private struct DismissView: View {
        let dismiss: DismissElement
        let item: ContentCardUI
        /// The size of the symbol, which scales with the text size.
        @ScaledMetric private var size: CGFloat

        init(dismiss: DismissElement, item: ContentCardUI) {
            (self.dismiss, self.item) = (dismiss, item)
            _size = ScaledMetric(wrappedValue: CGFloat(dismiss.font.size), relativeTo: .body)
        }

        var body: some View {
            Button {
                Task { try? await item.dismiss() }
            } label: {
                Image(systemName: dismiss.style == .circle ? "xmark.circle.fill" : "xmark")
                    .font(Font(dismiss.font, size: size))
                    .foregroundStyle(Color(dismiss.color), Color(dismiss.circleColor))
                    .padding(EdgeInsets(dismiss.padding))
                    .frame(minWidth: dismiss.targetSize, minHeight: dismiss.targetSize, alignment: .topTrailing)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(dismiss.label)
        }
    }

    extension GeometryProxy {
        /// The visible share of the view within the scroll views around it, from 0 to 1; 1 if there are none.
        fileprivate nonisolated var visibleShare: Double {
            let own = CGRect(x: 0, y: 0, width: size.width, height: size.height)
            guard own.width > 0, own.height > 0 else { return 0 }
            let windows = [bounds(of: .scrollView(axis: .vertical)), bounds(of: .scrollView(axis: .horizontal))]
            let seen = windows.compactMap { $0 }.reduce(own) { $0.intersection($1) }
            guard !seen.isNull else { return 0 }
            return Double(seen.width * seen.height / (own.width * own.height))
        }
    }
#endif
