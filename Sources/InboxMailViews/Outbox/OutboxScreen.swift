#if canImport(SwiftUI)
    import InboxCards
    public import InboxMail
    import InboxViews
    public import SwiftUI

    /// The mails on their way, and those that weren't sent and why.
    ///
    /// It is the content of an app's own navigation, and has the title of the outbox.
    public struct OutboxScreen: View {
        private let model: OutboxModel
        private let edit: @MainActor (MailDraft) -> Void
        @Environment(\.inboxTexts) private var texts

        /// Creates a screen for an outbox.
        ///
        /// - Parameters:
        ///   - model: The outbox.
        ///   - edit: Opens a draft, such as in a ``ComposeScreen``.
        public init(_ model: OutboxModel, edit: @escaping @MainActor (MailDraft) -> Void) {
            (self.model, self.edit) = (model, edit)
        }

        /// The screen.
        public var body: some View {
            VStack(spacing: 0) {
                if let connection = model.connection {
                    ComposeBar(text: text(of: connection), symbol: "wifi.slash") {}
                }
                if let failure = model.failure {
                    ComposeBar(text: texts.text(of: failure), symbol: "exclamationmark.triangle") {
                        Button(texts[.close]) { model.dismissFailure() }
                    }
                }
                content
            }
            .navigationTitle(texts[.outbox])
        }

        @ViewBuilder private var content: some View {
            switch model.state {
            case .loading:
                ProgressView().accessibilityLabel(texts[.loading]).frame(maxWidth: .infinity, maxHeight: .infinity)
            case .failed:
                VStack(spacing: 12) {
                    Text(texts[.outboxFailed])
                    Button(texts[.tryAgain]) { model.reload() }.buttonStyle(.bordered)
                }
                .frame(maxWidth: .infinity, maxHeight: .infinity)
            case .loaded where model.items.isEmpty:
                Text(texts[.emptyOutbox])
                    .foregroundStyle(.secondary)
                    .multilineTextAlignment(.center)
                    .padding()
                    .frame(maxWidth: .infinity, maxHeight: .infinity)
            case .loaded:
                List {
                    ForEach(model.items) { item in OutboxRow(item: item, model: model, edit: edit) }
                }
                .listStyle(.plain)
            }
        }

        private func text(of notice: ConnectionNotice) -> String {
            switch notice {
            case .offline: texts[.offlineSending]
            case .signInNeeded: texts[.signInToSend]
            }
        }
    }

    /// A mail of the outbox, with its actions.
    private struct OutboxRow: View {
        let item: OutboxItem
        let model: OutboxModel
        let edit: @MainActor (MailDraft) -> Void
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                VStack(alignment: .leading, spacing: 4) {
                    Text(texts.names(of: item.recipients)).font(.headline).lineLimit(1)
                    if !item.subject.isEmpty { Text(item.subject).lineLimit(1) }
                    if !item.snippet.isEmpty {
                        Text(item.snippet).font(.subheadline).foregroundStyle(.secondary).lineLimit(1)
                    }
                    HStack(spacing: 6) {
                        if item.needsPerson {
                            Image(systemName: "exclamationmark.triangle")
                                .foregroundStyle(Color.red)
                                .accessibilityHidden(true)
                        }
                        Text(texts.text(of: item.status)).font(.subheadline)
                    }
                    if case .refused(let refusal) = item.status, refusal.code != .notDiscarded {
                        Text(texts.text(of: refusal)).font(.subheadline)
                    }
                    ForEach(item.hiddenRecipients, id: \.self) { address in
                        Text(texts.bcc(address)).font(.subheadline).textSelection(.enabled)
                    }
                }
                .accessibilityElement(children: .combine)
                if case .uploading(let fraction) = item.status {
                    ProgressView(value: fraction).accessibilityHidden(true)
                }
                if model.askedAbout == item.id { question } else { buttons }
            }
            .padding(.vertical, 6)
        }

        private var question: some View {
            VStack(alignment: .leading, spacing: 8) {
                Text(texts[.sendAgainQuestion]).font(.subheadline)
                HStack {
                    Button(texts[.sendAgain]) { Task { await model.confirm() } }
                    Button(texts[.cancel]) { model.decline() }
                }
                .buttonStyle(.bordered)
            }
        }

        @ViewBuilder private var buttons: some View {
            HStack {
                switch item.status {
                case .unsaved(let reason) where reason.code == .unreadable:
                    Button(texts[.discardDraft]) { Task { await model.discard(item.id) } }
                case .unsaved:
                    Button(texts[.edit]) { open() }
                    Button(texts[.tryAgain]) { Task { await model.retry(item.id) } }
                    Button(texts[.discardDraft]) { Task { await model.discard(item.id) } }
                case .refused(let refusal) where refusal.code == .notDiscarded:
                    Button(texts[.edit]) { open() }
                    Button(texts[.discardDraft]) { Task { await model.discard(item.id) } }
                case .refused, .unknown:
                    Button(texts[.edit]) { open() }
                    Button(texts[.sendAgain]) { Task { await model.retry(item.id) } }
                    Button(texts[.discardDraft]) { Task { await model.discard(item.id) } }
                case .waiting:
                    Button(texts[.edit]) { open() }
                    Button(texts[.sendNow]) { Task { await model.retry(item.id) } }
                    Button(texts[.cancelSending]) { Task { await model.cancel(item.id) } }
                case .queued, .uploading:
                    Button(texts[.edit]) { open() }
                    Button(texts[.tryAgain]) { Task { await model.retry(item.id) } }
                    Button(texts[.cancelSending]) { Task { await model.cancel(item.id) } }
                case .sending: Button(texts[.tryAgain]) { Task { await model.retry(item.id) } }
                case .sentUnnamed, .sentUnmoved: Button(texts[.close]) { Task { await model.discard(item.id) } }
                }
            }
            .buttonStyle(.bordered)
        }

        private func open() {
            Task { if let draft = await model.edit(item.id) { edit(draft) } }
        }
    }

    extension View {
        /// Shows a bar at the bottom for some seconds after a mail was sent, with a button that takes it back.
        ///
        /// - Parameters:
        ///   - outbox: The outbox; nil for none.
        ///   - reopen: Opens the draft again, such as in a ``ComposeScreen``.
        public func undoSendBar(
            _ outbox: OutboxModel?,
            reopen: @escaping @MainActor (MailDraft) -> Void
        ) -> some View {
            safeAreaInset(edge: .bottom) {
                if let outbox { UndoSendBar(outbox: outbox, reopen: reopen) }
            }
        }
    }

    private struct UndoSendBar: View {
        let outbox: OutboxModel
        let reopen: @MainActor (MailDraft) -> Void
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            if outbox.undoable != nil {
                HStack {
                    Text(texts[.sendingSoon])
                    Spacer()
                    Button(texts[.undo]) { undo() }.keyboardShortcut("z")
                }
                .padding()
                .background { RoundedRectangle(cornerRadius: 12).fill(.regularMaterial) }
                .padding(.horizontal)
                .frame(maxWidth: 640)
            }
        }

        private func undo() {
            Task { if let draft = await outbox.undo() { reopen(draft) } }
        }
    }
#endif
