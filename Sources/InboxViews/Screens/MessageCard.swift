#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    package import InboxClient
    public import InboxModel
    public import SwiftUI

    /// A message's card, alone anywhere in an app.
    ///
    /// A tap is tracked, marks the message as read and opens its link, or calls the closure. A button opens its own
    /// link. The look comes from ``SwiftUICore/View/inboxCardStyle(_:)``.
    public struct MessageCard: View {
        private let message: Message
        private let open: (@MainActor (Message) -> Void)?
        @Environment(\.inbox) private var inbox
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<SharedCardState>()

        /// Creates a card for a message.
        ///
        /// - Parameters:
        ///   - message: The message.
        ///   - open: Opens the message in place of its link; nil for the link.
        public init(_ message: Message, open: (@MainActor (Message) -> Void)? = nil) {
            self.message = message
            self.open = open
        }

        /// The card.
        public var body: some View {
            Group {
                if let shared {
                    CardBody(message: message, shared: shared, open: open)
                        .onAppear { shared.cards.show([message]) }
                        .onChange(of: texts) { _, texts in shared.cards.texts = texts }
                }
            }
        }

        private var shared: SharedCardState? {
            let (surface, texts) = (message.surface, texts)
            cache.follow(inbox, surface) { SharedCardState($0, surface: surface, texts: texts) }
            return cache.model
        }
    }

    /// The values that the cards of a list share.
    @MainActor
    final class SharedCardState {
        let inbox: Inbox
        let cards: CardContextModel
        let tracker: DisplayTracker

        init(_ inbox: Inbox, surface: String?, texts: CardTexts) {
            self.inbox = inbox
            cards = CardContextModel(inbox, surface: surface, texts: texts)
            tracker = DisplayTracker(inbox)
        }
    }

    /// A card with its interactions.
    struct CardBody: View {
        let message: Message
        let shared: SharedCardState
        let open: (@MainActor (Message) -> Void)?
        @Environment(\.inboxCardStyle) private var style
        @Environment(\.inboxLinkOpener) private var linkOpener
        @Environment(\.openURL) private var openURL

        init(message: Message, shared: SharedCardState, open: (@MainActor (Message) -> Void)?) {
            (self.message, self.shared, self.open) = (message, shared, open)
        }

        var body: some View {
            let card = Card(message, in: shared.cards.context)
            style.erasedBody(InboxCardStyleConfiguration(message: message, card: card, perform: perform))
                .contentShape(Rectangle())
                .onTapGesture(perform: tap)
                .onVisibleShareChange { [tracker = shared.tracker, id = message.id] in tracker.show(id, share: $0) }
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(card.label)
                .accessibilityAddTraits(.isButton)
                .accessibilityAction(tap)
                .accessibilityActions {
                    ForEach(card.buttons) { button in
                        Button(button.text.content) { perform(button) }
                    }
                }
        }

        private func tap() {
            if let open { return open(message) }
            let link = MessageAction(id: MessageCardAction.card, text: "", link: message.link ?? "")
            follow(link, as: nil)
        }

        private func perform(_ button: ButtonElement) { follow(button.action, as: button.id) }

        /// Tracks a click and opens its link. The link is opened even if the click can't be stored.
        private func follow(_ action: MessageAction, as id: String?) {
            let opener = linkOpener ?? .system(openURL)
            Task { [inbox = shared.inbox, tracker = shared.tracker, message] in
                await tracker.waitUntilIdle()
                _ = try? await inbox.click(message.id, action: id)
                await opener.open(action, of: message)
            }
        }
    }

    /// The names of a card's own interactions.
    enum MessageCardAction {
        /// A tap on the card itself.
        static let card = "card"
    }

    extension LinkOpener {
        /// Opens links as the system does, and where there is one, web pages that are meant for a browser within the
        /// app in that.
        @MainActor
        package static func system(_ openURL: OpenURLAction) -> LinkOpener {
            let open: URLHandler = { url in openURL(url) }
            #if canImport(UIKit) && canImport(SafariServices)
                let inApp: URLHandler = { url in if !InAppBrowser.show(url) { open(url) } }
            #else
                let inApp = open
            #endif
            return LinkOpener(inApp: inApp, systemBrowser: open, app: open)
        }
    }
#endif
