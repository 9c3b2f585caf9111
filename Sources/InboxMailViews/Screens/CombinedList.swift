#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    public import InboxMail
    import InboxModel
    import InboxViews
    public import SwiftUI

    /// One list with the messages of an app's inbox and the threads of the mail beside it, the newest first: pull to
    /// refresh, swipe actions with undo, and further entries as the person scrolls.
    ///
    /// The mail comes from the environment. It has to be in the file of an inbox
    /// (`Mail.open(server:credentials:account:in:scope:configuration:)`).
    public struct CombinedList: View {
        private let open: @MainActor (InboxEntry) -> Void
        @Environment(\.mail) private var mail
        @State private var cache = ModelCache<CombinedListModel>()

        /// Creates a list for the mail and the inbox of the environment.
        ///
        /// - Parameter open: Opens an entry.
        public init(open: @escaping @MainActor (InboxEntry) -> Void) { self.open = open }

        /// The list.
        public var body: some View {
            if let model {
                CombinedListContent(model: model, open: open).id(ObjectIdentifier(model)).inbox(model.mail.inbox)
            } else {
                MailPlaceholderView(.signedOut)
            }
        }

        private var model: CombinedListModel? {
            cache.follow(mail) { CombinedListModel($0) }
            return cache.model
        }
    }

    private struct CombinedListContent: View {
        let model: CombinedListModel
        let open: @MainActor (InboxEntry) -> Void
        @Environment(\.inboxTexts) private var texts
        @State private var cache = ModelCache<RelativeTimeModel>()
        @State private var mailboxes = ModelCache<MailboxListModel>()

        var body: some View {
            VStack(spacing: 0) {
                MailConnectionStatus(model: account.connection, mail: model.mail)
                entries
            }
            .safeAreaInset(edge: .bottom) { undoBar }
            .onChange(of: texts) { _, texts in times.texts = texts }
        }

        private var times: RelativeTimeModel {
            cache.follow(model) { _ in RelativeTimeModel(texts: texts) }
            return cache.model ?? RelativeTimeModel(texts: texts)
        }

        private var account: MailboxListModel {
            mailboxes.follow(model.mail) { MailboxListModel($0) }
            return mailboxes.model ?? MailboxListModel(model.mail)
        }

        @ViewBuilder private var entries: some View {
            if let placeholder {
                ScrollView { MailPlaceholderView(placeholder) { [model] in await model.refresh() }.padding(.top, 40) }
                    .refreshable { [model] in await model.refresh() }
            } else {
                let (times, names) = (times, MailNames(texts, own: account.identities))
                List {
                    ForEach(model.entries) { entry in row(entry, times, names) }
                    if model.hasMore {
                        LoadMoreButton(texts, isLoading: model.isLoadingMore) { model.loadMore() }
                    }
                }
                .listStyle(.plain)
                .refreshable { [model] in await model.refresh() }
                .onAppear { times.show(model.entries.map(\.date)) }
                .onChange(of: model.entries.map(\.date)) { _, dates in times.show(dates) }
            }
        }

        private var placeholder: MailPlaceholder? {
            switch model.state {
            case .loading: .loading(account.progress)
            case .failed(let error): .failed(error)
            case .loaded: model.entries.isEmpty ? .empty(.inbox) : nil
            }
        }

        private func row(_ entry: InboxEntry, _ times: RelativeTimeModel, _ names: MailNames) -> some View {
            Group {
                switch entry {
                case .message(let message): MessageCard(message) { _ in open(entry) }
                case .thread(let thread):
                    ThreadRow(
                        row: MailScreenModel.Row(thread),
                        names: names.names(of: thread),
                        time: times.text(thread.lastMessageDate)
                    ) { open(entry) }
                }
            }
            .swipeActions(edge: .trailing, allowsFullSwipe: true) {
                button(.archive, entry)
                Button(texts[.delete], systemImage: "trash", role: .destructive) { perform(.delete, entry) }
            }
            .swipeActions(edge: .leading, allowsFullSwipe: true) {
                button(entry.isUnread ? .markRead : .markUnread, entry)
            }
            .contextMenu { actions(entry) }
            .accessibilityActions { actions(entry) }
        }

        @ViewBuilder private func actions(_ entry: InboxEntry) -> some View {
            button(entry.isUnread ? .markRead : .markUnread, entry)
            button(.archive, entry)
            button(.delete, entry)
        }

        private func button(_ change: CombinedListModel.Change, _ entry: InboxEntry) -> some View {
            Button(texts.name(of: change), systemImage: change.symbol) { perform(change, entry) }
        }

        private func perform(_ change: CombinedListModel.Change, _ entry: InboxEntry) {
            Task { await model.perform(change, [entry.id]) }
        }

        @ViewBuilder private var undoBar: some View {
            if let performed = model.undoable {
                NoticeBar(texts.pastName(of: performed.change)) {
                    Button(texts[.undo]) { Task { await model.undo() } }.keyboardShortcut("z")
                }
            } else if model.hasActionFailed {
                NoticeBar(texts[.actionFailed]) { Button(texts[.close]) { model.dismiss() } }
            }
        }
    }
#endif
