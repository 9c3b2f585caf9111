#if canImport(SwiftUI)
    import InboxCards
    import InboxClient
    import InboxViews
    public import SwiftUI

    extension ContentCardUI {
        /// The card as a SwiftUI view, for use anywhere in the app.
        public var view: some View { CardView(item: self) }
    }

    /// A card and its interactions.
    struct CardView: View {
        let item: ContentCardUI
        @Environment(\.openURL) private var openURL

        init(item: ContentCardUI) {
            self.item = item
        }

        var body: some View {
            let card = item.card
            let content = ElementView(element: card.content) { button in tap(button) }
            UnreadMarkedContent(content, icon: card.unreadIcon, isUnread: card.isUnread)
                .padding(EdgeInsets(card.padding))
                // The indicator is beside the dismiss button, not under it.
                .padding(.trailing, card.dismissButton == nil ? 0 : 24)
                .frame(maxWidth: .infinity, alignment: .leading)
                .background { Color(card.background) }
                .clipShape(RoundedRectangle(cornerRadius: card.cornerRadius))
                .overlay(alignment: .topTrailing) {
                    if let button = card.dismissButton { DismissView(dismiss: button, item: item) }
                }
                .inbox(item.inbox?.inbox)
                .contentShape(Rectangle())
                .onTapGesture { tap() }
                .onVisibleShareChange { [item] in item.visibilityChanged(to: $0) }
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(card.label)
                .accessibilityAddTraits(.isButton)
                .accessibilityAction { tap() }
                .accessibilityActions {
                    ForEach(card.buttons) { button in
                        Button(button.text.content) { tap(button) }
                    }
                    if let button = card.dismissButton {
                        Button(button.label) { Task { try? await item.dismiss() } }
                    }
                }
        }

        /// Handles a tap on the card or a button. A link is opened by this window.
        private func tap(_ button: ButtonElement? = nil) {
            let opener = LinkOpener.system(openURL)
            Task { try? await item.interact(button, opener: opener) }
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
                    .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            .accessibilityLabel(dismiss.label)
        }
    }
#endif
