#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    import InboxMail
    import InboxViews
    import SwiftUI

    /// The content of a ``ThreadList`` that has an account.
    struct ThreadListContent: View {
        let model: MailScreenModel
        /// Opens a thread in place of the screen; nil for the screen.
        var open: (@MainActor (MailThread) -> Void)?
        @Environment(\.inboxTexts) private var texts
        @Environment(\.mailWriting) private var writing
        @Environment(\.accessibilityReduceMotion) private var reducesMotion
        @FocusState private var focused: String?
        @State private var cache = ModelCache<RelativeTimeModel>()

        var body: some View {
            VStack(spacing: 0) {
                // A list that can't be loaded shows it in its place.
                if !isOffline { MailConnectionStatus(model: model.mailboxes.connection, mail: model.mail) }
                threads
            }
            .navigationTitle(title)
            .searchable(
                text: Binding(get: { model.search.text }, set: { model.search.text = $0 }),
                prompt: texts[.search]
            )
            .toolbar { toolbar }
            .safeAreaInset(edge: .bottom) { undoBar }
            .animation(reducesMotion ? nil : .default, value: model.threads.map(\.id))
            .onChange(of: texts) { _, texts in times.texts = texts }
        }

        private var title: String { texts.name(of: model.place, model.mailboxes.row(of: model.place)?.mailbox) }

        private var times: RelativeTimeModel {
            cache.follow(model) { _ in RelativeTimeModel(texts: texts) }
            return cache.model ?? RelativeTimeModel(texts: texts)
        }

        private var names: MailNames { MailNames(texts, own: model.mailboxes.identities) }

        @ViewBuilder private var threads: some View {
            if let shown {
                ScrollView {
                    MailPlaceholderView(shown) { [model] in await model.refresh() }
                        .padding(.top, 40)
                }
                .refreshable { [model] in await model.refresh() }
            } else {
                let (rows, times, names) = (model.rows, times, names)
                List {
                    ForEach(rows) { row in view(of: row, times, names) }
                    if model.search.serverError != nil, model.isSearching { deviceOnly }
                    if model.hasMore {
                        LoadMoreButton(texts, isLoading: model.isLoadingMore) { model.loadMore() }
                    }
                }
                .listStyle(.plain)
                .refreshable { [model] in await model.refresh() }
                .onAppear { times.show(rows.map(\.date)) }
                .onChange(of: rows.map(\.date)) { _, dates in times.show(dates) }
            }
        }

        /// The placeholder that is shown in place of threads; nil if there are any.
        private var shown: MailPlaceholder? {
            if model.isSearching {
                return switch model.search.state {
                case .idle, .searching: .loading(nil)
                case .failed(let error): .failed(error)
                case .found where !model.search.results.isEmpty: nil
                case .found: model.search.isSearchingServer ? .loading(nil) : .noMatches
                }
            }
            return switch model.list.state {
            case .loading: .loading(model.mailboxes.progress)
            case .failed(let error): .failed(error)
            case .loaded: model.list.threads.isEmpty ? .empty(model.place) : nil
            }
        }

        /// Whether there is nothing to show, because the server can't be reached.
        private var isOffline: Bool {
            if case .failed(let error) = shown { error.code == .notConnected } else { false }
        }

        private var deviceOnly: some View {
            Text(texts[.searchedDeviceOnly])
                .font(.footnote)
                .foregroundStyle(.secondary)
                .frame(maxWidth: .infinity)
                .listRowSeparator(.hidden)
        }

        // MARK: - Rows

        private func view(of row: MailScreenModel.Row, _ times: RelativeTimeModel, _ names: MailNames) -> some View {
            let thread = row.thread
            let showsRecipients = !model.isSearching && model.place.showsRecipients
            return HStack(spacing: 12) {
                if model.isSelecting {
                    Image(systemName: isSelected(thread) ? "checkmark.circle.fill" : "circle")
                        .foregroundStyle(Color.accentColor)
                        .accessibilityHidden(true)
                }
                ThreadRow(
                    row: row,
                    names: names.names(of: thread, showsRecipients: showsRecipients),
                    time: times.text(row.date)
                ) { tap(thread) }
            }
            .accessibilityAddTraits(isSelected(thread) ? .isSelected : [])
            .listRowBackground(isSelected(thread) ? Color.accentColor.opacity(0.15) : Color.clear)
            .swipeActions(edge: .trailing, allowsFullSwipe: true) {
                mainButton(of: [thread]) { await model.perform($0, [thread.id]) }
                if model.canTrash { trashButton { await model.perform(.trash, [thread.id]) } }
            }
            .swipeActions(edge: .leading, allowsFullSwipe: true) {
                if model.canMark { markButton(of: thread) }
            }
            .contextMenu { menu(of: thread) }
            .focusable()
            .focused($focused, equals: thread.id)
            .onKeyPress(.return) { pressed { tap(thread) } }
            .onKeyPress(.delete) { pressed { remove(thread) } }
            .onKeyPress(.upArrow) { pressed { moveFocus(from: thread, by: -1) } }
            .onKeyPress(.downArrow) { pressed { moveFocus(from: thread, by: 1) } }
            .accessibilityActions { accessibleActions(of: thread) }
        }

        /// Whether a row is selected: while several can be, or because its thread is open beside the list.
        private func isSelected(_ thread: MailThread) -> Bool {
            model.isSelecting ? model.selection.contains(thread.id) : model.opened == thread.id
        }

        private func tap(_ thread: MailThread) {
            if model.isSelecting {
                model.toggle(thread.id)
            } else if let open {
                open(thread)
            } else {
                model.opened = thread.id
            }
        }

        // MARK: - Keys

        private func pressed(_ action: () -> Void) -> KeyPress.Result {
            action()
            return .handled
        }

        /// Deletes a thread, or the selected ones, and moves the focus to the next one.
        private func remove(_ thread: MailThread) {
            guard model.canTrash else { return }
            if model.isSelecting, model.selection.contains(thread.id) {
                Task { await model.performOnSelection(.trash) }
            } else {
                let next = neighbor(of: thread, by: 1) ?? neighbor(of: thread, by: -1)
                Task { await model.perform(.trash, [thread.id]) }
                focused = next
            }
        }

        private func moveFocus(from thread: MailThread, by distance: Int) {
            if let next = neighbor(of: thread, by: distance) { focused = next }
        }

        private func neighbor(of thread: MailThread, by distance: Int) -> String? {
            let ids = model.threads.map(\.id)
            guard let index = ids.firstIndex(of: thread.id), ids.indices.contains(index + distance) else { return nil }
            return ids[index + distance]
        }

        // MARK: - Actions

        /// The button that puts threads away, or back; nothing where there is none.
        @ViewBuilder private func mainButton(
            of threads: [MailThread],
            perform: @escaping @MainActor (MailChange) async -> Void
        ) -> some View {
            if let change = model.mainChange(of: threads) {
                Button(texts.name(of: change, to: role(of: change)), systemImage: change.symbol(to: role(of: change))) {
                    Task { await perform(change) }
                }
            }
        }

        private func trashButton(_ perform: @escaping @MainActor () async -> Void) -> some View {
            Button(texts[.delete], systemImage: "trash", role: .destructive) { Task { await perform() } }
        }

        private func markButton(of thread: MailThread) -> some View {
            button(thread.isUnread ? .markRead : .markUnread, [thread.id])
        }

        private func button(_ change: MailChange, _ ids: [String]) -> some View {
            Button(texts.name(of: change), systemImage: change.symbol()) {
                Task { await model.perform(change, ids) }
            }
        }

        private func role(of change: MailChange) -> Mailbox.Role? { model.role(of: change) }

        @ViewBuilder private func menu(of thread: MailThread) -> some View {
            if model.canMark {
                markButton(of: thread)
                button(thread.isStarred ? .unstar : .star, [thread.id])
            }
            mainButton(of: [thread]) { await model.perform($0, [thread.id]) }
            MoveMenu(targets: model.targets) { change in await model.perform(change, [thread.id]) }
            if model.canTrash { trashButton { await model.perform(.trash, [thread.id]) } }
        }

        /// The actions of the menu without the menu within: a screen reader offers buttons alone.
        @ViewBuilder private func accessibleActions(of thread: MailThread) -> some View {
            if model.canMark {
                markButton(of: thread)
                button(thread.isStarred ? .unstar : .star, [thread.id])
            }
            mainButton(of: [thread]) { await model.perform($0, [thread.id]) }
            ForEach(model.targets) { target in
                Button("\(texts[.moveTo]) \(texts.name(of: target))") {
                    if let mailbox = target.mailbox {
                        Task { await model.perform(.move(to: mailbox.id), [thread.id]) }
                    }
                }
            }
            if model.canTrash { trashButton { await model.perform(.trash, [thread.id]) } }
        }

        // MARK: - Bars

        @ToolbarContentBuilder private var toolbar: some ToolbarContent {
            ToolbarItemGroup(placement: .primaryAction) {
                if model.isSelecting {
                    Button(texts[.cancel]) { model.endSelection() }
                } else {
                    if let writing, !model.mailboxes.isReadOnly {
                        Button(texts[.newMail], systemImage: "square.and.pencil") { writing.write(in: model.mail) }
                            .keyboardShortcut("n")
                    }
                    Menu(texts[.actions], systemImage: "ellipsis.circle") {
                        if model.canMark {
                            Button(texts[.select], systemImage: "checkmark.circle") { model.beginSelection() }
                            Button(texts[.markAllAsRead], systemImage: "envelope.open") {
                                Task { await model.markAllRead() }
                            }
                        }
                        Button(
                            texts[.unreadFirst],
                            systemImage: model.showsUnreadFirst ? "checkmark" : "line.3.horizontal.decrease"
                        ) { model.showsUnreadFirst.toggle() }
                        Button(texts[.refresh], systemImage: "arrow.clockwise") { Task { await model.refresh() } }
                            .keyboardShortcut("r")
                    }
                }
            }
            ToolbarItemGroup(placement: .secondaryAction) {
                if model.isSelecting {
                    Button(texts[.selectAll]) { model.selectAll() }
                    Group {
                        let selected = model.selectedThreads
                        selectionButton(selected.contains(where: \.isUnread) ? .markRead : .markUnread)
                        selectionButton(selected.contains(where: \.isStarred) ? .unstar : .star)
                        mainButton(of: selected) { await model.performOnSelection($0) }
                        MoveMenu(targets: model.targets) { change in await model.performOnSelection(change) }
                        if model.canTrash { selectionButton(.trash) }
                    }
                    .disabled(model.selection.isEmpty)
                }
            }
        }

        private func selectionButton(_ change: MailChange) -> some View {
            Button(texts.name(of: change), systemImage: change.symbol()) {
                Task { await model.performOnSelection(change) }
            }
        }

        @ViewBuilder private var undoBar: some View {
            let actions = model.actions
            if let performed = actions.undoable {
                NoticeBar(texts.pastName(of: performed.change, to: role(of: performed.change))) {
                    Button(texts[.undo]) { Task { await actions.undo() } }.keyboardShortcut("z")
                }
            } else if actions.error != nil || actions.wasRefused {
                NoticeBar(texts[actions.error == nil ? .changeRefused : .actionFailed]) {
                    Button(texts[.close]) { actions.dismiss() }
                }
            }
        }
    }

    /// The menu of mailboxes to which threads can be moved; nothing if there are none.
    struct MoveMenu: View {
        let targets: [MailboxRow]
        let perform: @MainActor (MailChange) async -> Void
        @Environment(\.inboxTexts) private var texts

        var body: some View {
            if !targets.isEmpty {
                Menu(texts[.moveTo], systemImage: "folder") {
                    ForEach(targets) { target in
                        Button(texts.name(of: target), systemImage: target.place.symbol) {
                            if let mailbox = target.mailbox {
                                Task { await perform(.move(to: mailbox.id)) }
                            }
                        }
                    }
                }
            }
        }
    }
#endif
