#if canImport(SwiftUI)
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI

    extension View {
        /// Lets the screens of mail below write: a button for a new mail, replies below each mail, drafts that open,
        /// the outbox, and a bar that offers to undo sending for some seconds.
        ///
        /// ```swift
        /// MailScreen(accounts).mailWriting(writing)
        /// ```
        ///
        /// - Parameter writing: The state of the presented screens.
        public func mailWriting(_ writing: MailWritingModel) -> some View {
            MailWritingView(writing: writing, content: self)
        }
    }

    extension EnvironmentValues {
        /// The model that presents the mails that are written; nil where none can be.
        var mailWriting: MailWritingModel? {
            get { self[WritingKey.self] }
            set { self[WritingKey.self] = newValue }
        }
    }

    private struct WritingKey: EnvironmentKey {
        static var defaultValue: MailWritingModel? { nil }
    }

    private struct MailWritingView<Content: View>: View {
        let writing: MailWritingModel
        let content: Content

        var body: some View {
            content
                .environment(\.mailWriting, writing)
                .sheet(isPresented: isPresented) { WritingSheet(writing: writing) }
        }

        private var isPresented: Binding<Bool> {
            Binding {
                writing.screen != nil
            } set: { isPresented in
                if !isPresented { writing.end() }
            }
        }
    }

    private struct WritingSheet: View {
        let writing: MailWritingModel
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            switch writing.screen {
            case .mail(let model): ComposeScreen(model).id(ObjectIdentifier(model))
            case .outbox(let outbox):
                NavigationStack {
                    OutboxScreen(outbox) { draft in writing.write(.draft(draft), in: outbox.mail) }
                        .toolbar {
                            ToolbarItem(placement: .cancellationAction) {
                                Button(texts[.close]) { writing.end() }.keyboardShortcut(.escape, modifiers: [])
                            }
                        }
                }
            case nil: EmptyView()
            }
        }
    }

    /// The buttons below a mail: replies, or for a draft the one that opens it. They take no space where nothing can be
    /// written.
    struct MailReplyButtons: View {
        let message: MailMessage
        let mail: Mail
        @Environment(\.mailWriting) private var writing
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            if let writing {
                // Where there isn't space for all of them, they scroll.
                ScrollView(.horizontal) {
                    HStack(spacing: 12) {
                        if message.isDraft {
                            button(.edit, "square.and.pencil", .edit(message.id), writing)
                        } else {
                            button(.reply, "arrowshape.left", .reply(to: message.id), writing)
                            button(.replyAll, "arrowshape.left.circle", .replyAll(to: message.id), writing)
                            button(.forward, "arrowshape.right", .forward(message.id), writing)
                        }
                    }
                    .lineLimit(1)
                    .buttonStyle(.bordered)
                    .padding(.horizontal)
                    .padding(.vertical, 8)
                }
            }
        }

        private func button(
            _ text: CardText,
            _ symbol: String,
            _ start: ComposeStart,
            _ writing: MailWritingModel
        ) -> some View {
            Button(texts[text], systemImage: symbol) { writing.write(start, in: mail) }
        }
    }
#endif
