#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    import InboxClient
    import InboxModel
    public import SwiftUI

    /// A message on a screen of its own, kept up to date. Showing it marks it as read and tracks the opening.
    public struct MessageDetail: View {
        private let id: String
        private let screen: InboxScreenModel?
        @Environment(\.inbox) private var inbox
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<MessageModel>()

        /// Creates a screen for a message.
        ///
        /// - Parameters:
        ///   - id: The message's id.
        ///   - screen: The screen from whose list it was opened, which performs the actions on it and can undo them;
        ///   nil for a message without actions.
        public init(_ id: String, of screen: InboxScreenModel? = nil) {
            self.id = id
            self.screen = screen
        }

        /// The screen.
        public var body: some View {
            Group {
                switch model?.state {
                case nil: InboxPlaceholderView(.signedOut)
                case .loading: InboxPlaceholderView(.loading)
                case .gone: Text(texts[.messageGone]).foregroundStyle(.secondary).padding()
                case .failed(let error):
                    // With large texts it is higher than the screen.
                    ScrollView {
                        InboxPlaceholderView(.failed(error)).environment(\.inboxRetry, InboxRetry { model?.retry() })
                    }
                case .loaded(let message):
                    if let inbox { MessageContent(message: message, inbox: inbox, screen: screen) }
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }

        private var model: MessageModel? {
            let id = id
            cache.follow(inbox, id) { MessageModel(id, in: $0) }
            return cache.model
        }
    }

    private struct MessageContent: View {
        let message: Message
        let inbox: Inbox
        let screen: InboxScreenModel?
        @Environment(\.inboxTexts) private var texts
        @Environment(\.inboxLinkOpener) private var linkOpener
        @Environment(\.openURL) private var openURL

        var body: some View {
            let times = RelativeTime(texts: texts, timeZone: .current)
            let card = Card(message, in: CardContext(relativeTime: times, now: Date()))
            ScrollView {
                VStack(alignment: .leading, spacing: 16) {
                    if !message.title.isEmpty {
                        Text(message.title).font(.title2).accessibilityAddTraits(.isHeader)
                    }
                    Text(times.exact(message.deliverAt)).font(.subheadline).foregroundStyle(.secondary)
                    if let image = card.image { ImageView(image: image.wide, adoptsShape: true) }
                    if message.html?.isEmpty ?? true {
                        if !message.body.isEmpty { Text(message.body).font(.body).textSelection(.enabled) }
                    } else {
                        MessageHTMLContent(id: message.id, inbox: inbox, screen: screen)
                    }
                    ForEach(card.buttons) { button in
                        Button(button.text.content) { follow(button.action, as: button.id) }.buttonStyle(.bordered)
                    }
                    if let link = card.link {
                        Button(texts[.seeMore]) {
                            follow(MessageAction(id: MessageCardAction.card, text: "", link: link), as: nil)
                        }
                        .buttonStyle(.borderedProminent)
                    }
                }
                .frame(maxWidth: 640, alignment: .leading)
                .frame(maxWidth: .infinity)
                .padding()
            }
            .toolbar {
                ToolbarItemGroup(placement: .primaryAction) {
                    if let screen {
                        // The keys are those of Mail.
                        action(message.archivedAt == nil ? .archive : .unarchive, screen)
                            .keyboardShortcut("a", modifiers: [.control, .command])
                        action(.markUnread, screen).keyboardShortcut("u", modifiers: [.shift, .command])
                        Button(texts[.delete], systemImage: "trash", role: .destructive) {
                            Task { await screen.perform(.delete, [message.id]) }
                        }
                        .keyboardShortcut(.delete)
                    }
                }
            }
        }

        private func follow(_ action: MessageAction, as id: String?) {
            let opener = linkOpener ?? .system(openURL)
            Task {
                _ = try? await inbox.click(message.id, action: id)
                await opener.open(action, of: message)
            }
        }

        private func action(_ kind: UndoableAction.Kind, _ screen: InboxScreenModel) -> some View {
            Button(texts.name(of: kind), systemImage: kind.symbol) {
                Task { await screen.perform(kind, [message.id]) }
            }
        }
    }

    /// The message's HTML, where there is WebKit.
    private struct MessageHTMLContent: View {
        let id: String
        let inbox: Inbox
        let screen: InboxScreenModel?
        @Environment(\.inboxTexts) private var texts
        @Environment(\.inboxLinkOpener) private var linkOpener
        @State private var cache = ModelCache<MessageHTMLModel>()

        var body: some View {
            #if canImport(WebKit)
                if let model { MessageHTMLView(model) }
            #endif
        }

        private var model: MessageHTMLModel? {
            let (id, texts, linkOpener, screen) = (id, texts, linkOpener, screen)
            cache.follow(inbox, id) { inbox in
                let model = MessageHTMLModel(id, in: inbox, texts: texts)
                model.linkOpener = linkOpener
                if let screen { model.close = { screen.opened = nil } }
                return model
            }
            return cache.model
        }
    }

    extension ImageElement {
        /// The image as wide as its screen.
        fileprivate var wide: ImageElement {
            var image = self
            (image.width, image.maxHeight) = (nil, nil)
            return image
        }
    }
#endif
