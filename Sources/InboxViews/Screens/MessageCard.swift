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
        @State private var cache = ModelCache<CardScene>()

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
                if let scene = scene {
                    CardBody(message: message, scene: scene, open: open)
                        .onAppear { scene.cards.show([message]) }
                        .onChange(of: texts) { _, texts in scene.cards.texts = texts }
                }
            }
        }

        private var scene: CardScene? {
            let (surface, texts) = (message.surface, texts)
            cache.follow(inbox, surface) { CardScene($0, surface: surface, texts: texts) }
            return cache.model
        }
    }

    /// The values that the cards of a list share.
    @MainActor
    final class CardScene {
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
        let scene: CardScene
        let open: (@MainActor (Message) -> Void)?
        @Environment(\.inboxCardStyle) private var style
        @Environment(\.inboxLinkOpener) private var linkOpener
        @Environment(\.openURL) private var openURL
        @Environment(\.scenePhase) private var scenePhase
        /// The visible share when it last changed. When the screen reappears, the geometry doesn't change, and the card
        /// is visible again.
        @State private var share = 0.0
        @State private var isShown = false

        init(message: Message, scene: CardScene, open: (@MainActor (Message) -> Void)?) {
            (self.message, self.scene, self.open) = (message, scene, open)
        }

        var body: some View {
            let card = Card(message, in: scene.cards.context)
            style.erasedBody(InboxCardStyleConfiguration(message: message, card: card, perform: perform))
                .contentShape(Rectangle())
                .onTapGesture(perform: tap)
                .onGeometryChange(for: Double.self) { geometry in
                    geometry.visibleShare
                } action: { visible in
                    share = visible
                    scene.tracker.show(message.id, share: visible)
                }
                .onAppear {
                    isShown = true
                    scene.tracker.show(message.id, share: share)
                }
                .onDisappear {
                    isShown = false
                    scene.tracker.show(message.id, share: 0)
                }
                // When the app returns, neither happens, and the card is visible again.
                .onChange(of: scenePhase) { _, phase in
                    scene.tracker.show(message.id, share: phase != .background && isShown ? share : 0)
                }
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
            Task { [inbox = scene.inbox, tracker = scene.tracker, message] in
                await tracker.settled()
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

    extension GeometryProxy {
        /// The visible share of the view within the scroll views around it, from 0 to 1; 1 if there are none. A view
        /// that is larger than they are is measured by what can be visible of it at once.
        package nonisolated var visibleShare: Double {
            let own = CGRect(x: 0, y: 0, width: size.width, height: size.height)
            guard own.width > 0, own.height > 0 else { return 0 }
            let windows = [bounds(of: .scrollView(axis: .vertical)), bounds(of: .scrollView(axis: .horizontal))]
                .compactMap { $0 }
            let seen = windows.reduce(own) { $0.intersection($1) }
            guard !seen.isNull else { return 0 }
            let most = windows.reduce(own.size) {
                CGSize(width: min($0.width, $1.width), height: min($0.height, $1.height))
            }
            return Double(seen.width * seen.height / (most.width * most.height))
        }
    }
#endif
