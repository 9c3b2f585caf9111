#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    import InboxMail
    import InboxViews
    public import SwiftUI
    import UniformTypeIdentifiers

    /// A mail that is being written, on a screen of its own, such as a sheet or a window.
    ///
    /// ```swift
    /// struct Writing: View {
    ///     let mail: Mail
    ///     let outbox: OutboxModel
    ///     @State private var isWriting = false
    ///
    ///     var body: some View {
    ///         Button("New Mail") { isWriting = true }
    ///             .sheet(isPresented: $isWriting) { ComposeScreen(ComposeModel(.new, in: mail)) }
    ///             .undoSendBar(outbox) { draft in open(draft) }
    ///     }
    /// }
    /// ```
    ///
    /// It has checks before sending, the choice of files, and a question before a draft is discarded. When it
    /// disappears, all changes are stored. The keys are those of Mail: ⇧⌘D sends, ⇧⌘A attaches a file, Escape closes.
    /// The texts come from the environment (`inboxTexts(_:)`).
    public struct ComposeScreen: View {
        private let model: ComposeModel
        private let onEnd: (@MainActor (ComposePhase) -> Void)?
        @Environment(\.inboxTexts) private var texts
        @Environment(\.dismiss) private var dismiss
        @Environment(\.scenePhase) private var scenePhase
        @State private var isPickingFile = false
        @State private var isPickingDate = false
        @State private var date = Date()

        /// Creates a screen for a mail.
        ///
        /// - Parameters:
        ///   - model: The mail.
        ///   - onEnd: Called when the mail is ordered to be sent, discarded or closed, with its phase, after the screen
        ///   was dismissed.
        public init(_ model: ComposeModel, onEnd: (@MainActor (ComposePhase) -> Void)? = nil) {
            (self.model, self.onEnd) = (model, onEnd)
        }

        /// The screen.
        public var body: some View {
            NavigationStack {
                content
                    .navigationTitle(model.subject.isEmpty ? texts[.newMail] : model.subject)
                    .toolbar { toolbar }
            }
            .sheet(isPresented: $isPickingDate) { datePicker }
            .fileImporter(isPresented: $isPickingFile, allowedContentTypes: [.item], allowsMultipleSelection: true) {
                if case .success(let files) = $0 { attach(files) }
            }
            .onChange(of: scenePhase) { _, phase in
                if phase == .background { Task { await model.keep() } }
            }
            .onDisappear { Task { await model.close() } }
        }

        @ViewBuilder private var content: some View {
            switch model.phase {
            case .loading:
                VStack(spacing: 12) {
                    ProgressView()
                    Text(texts[.loading]).foregroundStyle(.secondary)
                }
                .frame(maxWidth: .infinity, maxHeight: .infinity)
            case .gone: words(texts[.draftGone])
            case .sent: words(texts[.mailSent])
            case .discarded: words(texts[.draftGone])
            case .sending: words(texts[.sending])
            case .waiting:
                VStack(spacing: 12) {
                    Text(texts[.sendingSoon])
                    Button(texts[.undo]) { Task { await model.undoSend() } }.keyboardShortcut("z")
                }
                .frame(maxWidth: .infinity, maxHeight: .infinity)
            case .failed(let error):
                VStack(spacing: 12) {
                    Text(texts.text(of: error, otherwise: .draftNotLoaded)).multilineTextAlignment(.center)
                    Button(texts[.tryAgain]) { model.retry() }.buttonStyle(.bordered)
                }
                .padding()
                .frame(maxWidth: .infinity, maxHeight: .infinity)
            case .writing, .signedOut:
                ComposeForm(model: model, end: end)
            }
        }

        private func words(_ text: String) -> some View {
            Text(text)
                .foregroundStyle(.secondary)
                .multilineTextAlignment(.center)
                .padding()
                .frame(maxWidth: .infinity, maxHeight: .infinity)
        }

        // MARK: - Bars

        @ToolbarContentBuilder private var toolbar: some ToolbarContent {
            ToolbarItem(placement: .cancellationAction) {
                Button(texts[model.phase == .writing ? .saveDraft : .close]) { close() }
                    .keyboardShortcut(.escape, modifiers: [])
            }
            ToolbarItemGroup(placement: .primaryAction) {
                if model.phase == .writing {
                    Button(texts[.attachFile], systemImage: "paperclip") { isPickingFile = true }
                        .keyboardShortcut("a", modifiers: [.shift, .command])
                    Menu(texts[.actions], systemImage: "ellipsis.circle") {
                        Button(texts[.sendLater], systemImage: "clock") {
                            (date, isPickingDate) = (Date().addingTimeInterval(3_600), true)
                        }
                        Button(texts[.discardDraft], systemImage: "trash", role: .destructive) { discard() }
                    }
                    Button(texts[.send], systemImage: "paperplane") { send() }
                        .keyboardShortcut("d", modifiers: [.shift, .command])
                        .disabled(model.isSending)
                }
            }
        }

        private var datePicker: some View {
            DateSheet(
                texts[.sendLater],
                confirmation: texts[.send],
                texts: texts,
                date: $date,
                isPresented: $isPickingDate
            ) { send(later: date) }
        }

        // MARK: - Actions

        private func send(later date: Date? = nil) {
            Task {
                await model.send(later: date)
                end()
            }
        }

        private func discard() {
            Task {
                await model.askToDiscard()
                end()
            }
        }

        private func close() {
            Task { if await model.close() { leave() } }
        }

        private func attach(_ files: [URL]) {
            Task { await model.attach(files) }
        }

        /// Leaves the screen, unless there is more to write.
        private func end() {
            if model.phase != .writing { leave() }
        }

        private func leave() {
            dismiss()
            onEnd?(model.phase)
        }
    }
#endif
