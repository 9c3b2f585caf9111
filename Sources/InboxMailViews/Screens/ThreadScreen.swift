#if canImport(SwiftUI) && canImport(WebKit)
    import Foundation
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI

    /// A thread on a screen of its own, kept up to date: its mails with their files, of which the read ones before the
    /// last are collapsed. Showing it marks the mails as read that are shown in full.
    ///
    /// Pictures on the web are shown on request (``MailBodyView``). Below a mail are buttons for replies, if the screen
    /// can write (``SwiftUICore/View/mailWriting(_:)``), and the app's own views (``SwiftUICore/View/mailFooter(_:)``).
    public struct ThreadScreen: View {
        private let id: String
        private let screen: MailScreenModel?
        @Environment(\.mail) private var environmentMail
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<ThreadModel>()

        /// Creates a screen for a thread.
        ///
        /// - Parameters:
        ///   - id: The thread's id.
        ///   - screen: The screen from whose list it was opened, which performs the actions on it and can undo them;
        ///   nil for a thread of the environment's mail without actions.
        public init(_ id: String, of screen: MailScreenModel? = nil) {
            self.id = id
            self.screen = screen
        }

        /// The screen.
        public var body: some View {
            Group {
                switch model?.state {
                case nil: MailPlaceholderView(.signedOut)
                case .loading: MailPlaceholderView(.loading(nil))
                case .gone: MailPlaceholderView(.gone)
                case .failed(let error):
                    // With large texts it is higher than the screen.
                    ScrollView { MailPlaceholderView(.failed(error)) { model?.retry() } }
                case .loaded: if let model { ThreadContent(model: model, screen: screen) }
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .onChange(of: texts) { _, texts in model?.texts = texts }
        }

        private var model: ThreadModel? {
            let (id, texts, screen) = (id, texts, screen)
            cache.follow(screen?.mail ?? environmentMail, id) { mail in
                ThreadModel(
                    id,
                    in: mail,
                    marksRead: !(screen?.mailboxes.isReadOnly ?? false),
                    showsTrash: screen.map { $0.place.role == .trash || $0.place.role == .junk } ?? false,
                    texts: texts
                )
            }
            return cache.model
        }
    }

    private struct ThreadContent: View {
        let model: ThreadModel
        let screen: MailScreenModel?
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<RelativeTimeModel>()

        var body: some View {
            let (times, names) = (times, MailNames(texts, own: model.identities))
            ScrollView {
                LazyVStack(alignment: .leading, spacing: 0) {
                    Text(texts.subject(model.subject))
                        .font(.title2)
                        .textSelection(.enabled)
                        .accessibilityAddTraits(.isHeader)
                        .padding()
                    ForEach(model.entries) { entry in
                        MailEntryView(
                            entry: entry,
                            model: model,
                            names: names,
                            times: times,
                            isWritable: !(screen?.mailboxes.isReadOnly ?? false)
                        )
                    }
                }
                .frame(maxWidth: 800, alignment: .leading)
                .frame(maxWidth: .infinity)
            }
            .onAppear { times.show(model.entries.map(\.message.receivedAt)) }
            .onChange(of: model.entries.map(\.message.receivedAt)) { _, dates in times.show(dates) }
            .onChange(of: texts) { _, texts in times.texts = texts }
            .toolbar {
                ToolbarItemGroup(placement: .primaryAction) {
                    if let screen, let thread = model.thread { actions(thread, screen) }
                }
            }
        }

        private var times: RelativeTimeModel {
            cache.follow(model) { _ in RelativeTimeModel(texts: texts) }
            return cache.model ?? RelativeTimeModel(texts: texts)
        }

        @ViewBuilder private func actions(_ thread: MailThread, _ screen: MailScreenModel) -> some View {
            // The keys are those of Mail.
            if let change = screen.mainChange(of: [thread]) {
                button(change, thread, screen).keyboardShortcut("a", modifiers: [.control, .command])
            }
            if screen.canMark {
                button(.markUnread, thread, screen).keyboardShortcut("u", modifiers: [.shift, .command])
                button(thread.isStarred ? .unstar : .star, thread, screen)
                    .keyboardShortcut("l", modifiers: [.shift, .command])
            }
            MoveMenu(targets: screen.targets) { change in await screen.perform(change, [thread.id]) }
            if screen.canTrash {
                Button(texts[.delete], systemImage: "trash", role: .destructive) {
                    Task { await screen.perform(.trash, [thread.id]) }
                }
                .keyboardShortcut(.delete)
            }
        }

        private func button(_ change: MailChange, _ thread: MailThread, _ screen: MailScreenModel) -> some View {
            let role = screen.role(of: change)
            return Button(texts.name(of: change, to: role), systemImage: change.symbol(to: role)) {
                Task { await screen.perform(change, [thread.id]) }
            }
        }
    }
#endif
