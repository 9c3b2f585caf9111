#if canImport(SwiftUI)
    import Foundation
    import InboxCards
    import InboxClient
    import InboxModel
    import SwiftUI

    /// The content of an ``InboxList`` that has an inbox.
    struct InboxListContent<Placeholder: View>: View {
        let model: InboxScreenModel
        /// Opens a message in place of the screen; nil for the screen.
        var open: (@MainActor (Message) -> Void)?
        let placeholder: (InboxPlaceholder) -> Placeholder
        @Environment(\.inboxTexts) private var texts
        @Environment(\.scenePhase) private var scenePhase
        @Environment(\.accessibilityReduceMotion) private var reducesMotion
        @Environment(\.dynamicTypeSize) private var textSize
        @FocusState private var focused: String?
        @State private var cache = ModelCache<SharedCardState>()
        @State private var isPickingDate = false
        @State private var pickedDate = Date()
        @State private var snoozed: [String] = []

        var body: some View {
            VStack(spacing: 0) {
                tabs
                // The placeholder of a list that can't be loaded shows it.
                if !isOffline { ConnectionStatus().inbox(model.inbox) }
                messages
            }
            .background { Color(CardColor.page).ignoresSafeArea() }
            .searchable(
                text: Binding(get: { model.searchText }, set: { model.searchText = $0 }),
                prompt: texts[.search]
            )
            .toolbar { toolbar }
            .safeAreaInset(edge: .bottom) { undoBar }
            .animation(reducesMotion ? nil : .default, value: model.messages.map(\.id))
            .sheet(isPresented: $isPickingDate) { datePicker }
            .onChange(of: scenePhase) { _, phase in
                // An alert or the control center over the app makes it inactive, and ends no visit.
                if phase == .background { shared.tracker.endVisit() }
            }
            .onChange(of: texts) { _, texts in shared.cards.texts = texts }
            .onDisappear { shared.tracker.endVisit() }
        }

        private var shared: SharedCardState {
            cache.follow(model.inbox, model.surface) { SharedCardState($0, surface: model.surface, texts: texts) }
            return cache.model ?? SharedCardState(model.inbox, surface: model.surface, texts: texts)
        }

        private var tabs: some View {
            Picker(texts[.inbox], selection: Binding(get: { model.tab }, set: { model.tab = $0 })) {
                ForEach(InboxScreenModel.Tab.allCases) { tab in
                    Text(title(of: tab)).tag(tab)
                }
            }
            .segmented(!textSize.isAccessibilitySize)
            .padding(.horizontal)
            .padding(.vertical, 8)
        }

        private func title(of tab: InboxScreenModel.Tab) -> String {
            let name = texts.name(of: tab)
            return model.badge(of: tab).map { "\(name) (\($0.formatted()))" } ?? name
        }

        @ViewBuilder private var messages: some View {
            if let shown {
                ScrollView { placeholder(shown).padding(.top, 40) }
                    .refreshable { [list = model.list] in await list.refresh() }
                    .environment(\.inboxRetry, InboxRetry { [list = model.list] in await list.refresh() })
            } else {
                List {
                    ForEach(model.messages) { message in row(message) }
                    if model.list.hasMore {
                        LoadMoreButton(texts, isLoading: model.list.isLoadingMore) { model.list.loadMore() }
                            .listRowBackground(Color.clear)
                    }
                }
                .listStyle(.plain)
                .scrollContentBackground(.hidden)
                .refreshable { [list = model.list] in await list.refresh() }
                .onAppear { shared.cards.show(model.list.messages) }
                .onChange(of: model.list.messages.map(\.id)) { _, _ in shared.cards.show(model.list.messages) }
            }
        }

        /// The placeholder that is shown in place of messages; nil if there are any.
        private var shown: InboxPlaceholder? {
            switch model.list.state {
            case .loading: .loading
            case .failed(let error): .failed(error)
            case .loaded where !model.list.messages.isEmpty: nil
            case .loaded: model.isSearching ? .noMatches : .empty(model.tab)
            }
        }

        /// Whether there is nothing to show, because the server can't be reached.
        private var isOffline: Bool {
            if case .failed(let error) = shown { error.code == .notConnected } else { false }
        }

        // MARK: - Rows

        private func row(_ message: Message) -> some View {
            HStack(spacing: 12) {
                if model.isSelecting {
                    Image(systemName: isSelected(message) ? "checkmark.circle.fill" : "circle")
                        .foregroundStyle(Color.accentColor)
                        .accessibilityHidden(true)
                }
                CardBody(message: message, shared: shared, open: tap)
                    .frame(maxWidth: 640)
            }
            .frame(maxWidth: .infinity)
            .accessibilityAddTraits(isSelected(message) ? .isSelected : [])
            .listRowInsets(EdgeInsets(top: 6, leading: 16, bottom: 6, trailing: 16))
            .listRowSeparator(.hidden)
            .listRowBackground(isSelected(message) ? Color.accentColor.opacity(0.15) : Color.clear)
            .swipeActions(edge: .trailing, allowsFullSwipe: true) {
                action(.main(in: model.tab), of: [message.id])
                Button(texts[.delete], systemImage: "trash", role: .destructive) { perform(.delete, [message.id]) }
            }
            .swipeActions(edge: .leading, allowsFullSwipe: true) {
                action(message.isUnread ? .markRead : .markUnread, of: [message.id])
            }
            .contextMenu { menu(of: [message]) }
            .focusable()
            .focused($focused, equals: message.id)
            .onKeyPress(.return) { pressed { tap(message) } }
            .onKeyPress(.delete) { pressed { remove(message) } }
            .onKeyPress(.upArrow) { pressed { moveFocus(from: message, by: -1) } }
            .onKeyPress(.downArrow) { pressed { moveFocus(from: message, by: 1) } }
            .accessibilityActions { accessibleActions(of: message) }
        }

        /// Whether a row is selected: while several can be, or because its message is open beside the list.
        private func isSelected(_ message: Message) -> Bool {
            model.isSelecting ? model.selection.contains(message.id) : model.opened == message.id
        }

        private func tap(_ message: Message) {
            guard model.isSelecting else {
                if let open { open(message) } else { model.opened = message.id }
                return
            }
            if model.selection.contains(message.id) {
                model.selection.remove(message.id)
            } else {
                model.selection.insert(message.id)
            }
        }

        // MARK: - Keys

        private func pressed(_ action: () -> Void) -> KeyPress.Result {
            action()
            return .handled
        }

        /// Deletes a message, or the selected ones, and moves the focus to the next one.
        private func remove(_ message: Message) {
            if model.isSelecting, model.selection.contains(message.id) {
                Task { await model.performOnSelection(.delete) }
            } else {
                let next = neighbor(of: message, by: 1) ?? neighbor(of: message, by: -1)
                perform(.delete, [message.id])
                focused = next
            }
        }

        private func moveFocus(from message: Message, by distance: Int) {
            if let next = neighbor(of: message, by: distance) { focused = next }
        }

        private func neighbor(of message: Message, by distance: Int) -> String? {
            let ids = model.messages.map(\.id)
            guard let index = ids.firstIndex(of: message.id), ids.indices.contains(index + distance) else { return nil }
            return ids[index + distance]
        }

        // MARK: - Actions

        private func action(_ kind: UndoableAction.Kind, of ids: [String]) -> some View {
            Button(texts.name(of: kind), systemImage: kind.symbol) { perform(kind, ids) }
        }

        private func perform(_ kind: UndoableAction.Kind, _ ids: [String]) {
            Task { await model.perform(kind, ids) }
        }

        @ViewBuilder private func menu(of messages: [Message]) -> some View {
            let ids = messages.map(\.id)
            if messages.contains(where: \.isUnread) { action(.markRead, of: ids) } else { action(.markUnread, of: ids) }
            action(.main(in: model.tab), of: ids)
            snoozeMenu(of: ids)
            Button(texts[.delete], systemImage: "trash", role: .destructive) { perform(.delete, ids) }
        }

        /// The actions of the menu without the menu within: a screen reader offers buttons alone.
        @ViewBuilder private func accessibleActions(of message: Message) -> some View {
            action(message.isUnread ? .markRead : .markUnread, of: [message.id])
            action(.main(in: model.tab), of: [message.id])
            ForEach(snoozeChoices) { choice in
                Button("\(texts[.remindLater]): \(texts.name(of: choice.option))") {
                    perform(.snooze(until: choice.time), [message.id])
                }
            }
            Button("\(texts[.remindLater]): \(texts[.pickDate])") { pickDate(for: [message.id]) }
            Button(texts[.delete]) { perform(.delete, [message.id]) }
        }

        private var snoozeChoices: [SnoozeOption.Choice] {
            SnoozeOption.choices(at: Date(), texts: texts, timeZone: .current)
        }

        private func pickDate(for ids: [String]) {
            (snoozed, pickedDate, isPickingDate) = (ids, Date().addingTimeInterval(86_400), true)
        }

        private func snoozeMenu(of ids: [String]) -> some View {
            Menu(texts[.remindLater], systemImage: "clock") {
                ForEach(snoozeChoices) { choice in
                    Button(texts.name(of: choice.option)) { perform(.snooze(until: choice.time), ids) }
                }
                Button(texts[.pickDate]) { pickDate(for: ids) }
            }
        }

        private var datePicker: some View {
            DateSheet(
                texts[.remindLater],
                confirmation: texts[.remindLater],
                texts: texts,
                date: $pickedDate,
                isPresented: $isPickingDate
            ) { perform(.snooze(until: pickedDate), snoozed) }
        }

        // MARK: - Bars

        @ToolbarContentBuilder private var toolbar: some ToolbarContent {
            ToolbarItem(placement: .primaryAction) {
                if model.isSelecting {
                    Button(texts[.cancel]) { model.endSelection() }
                } else {
                    Menu(texts[.actions], systemImage: "ellipsis.circle") {
                        Button(texts[.select], systemImage: "checkmark.circle") { model.beginSelection() }
                        Button(texts[.markAllAsRead], systemImage: "envelope.open") {
                            Task { await model.markAllRead() }
                        }
                        Button(texts[.refresh], systemImage: "arrow.clockwise") { Task { await model.list.refresh() } }
                            .keyboardShortcut("r")
                    }
                }
            }
            ToolbarItemGroup(placement: .secondaryAction) {
                if model.isSelecting {
                    Button(texts[.selectAll]) { model.selectAll() }
                    Group {
                        selectionButton(.markRead)
                        if model.tab == .archived { selectionButton(.unarchive) } else { selectionButton(.archive) }
                        selectionButton(.delete)
                    }
                    .disabled(model.selection.isEmpty)
                }
            }
        }

        private func selectionButton(_ kind: UndoableAction.Kind) -> some View {
            Button(texts.name(of: kind), systemImage: kind.symbol) { Task { await model.performOnSelection(kind) } }
        }

        @ViewBuilder private var undoBar: some View {
            if let action = model.actions.undoable {
                NoticeBar(texts.pastName(of: action.kind)) {
                    Button(texts[.undo]) { Task { await model.actions.undo() } }.keyboardShortcut("z")
                }
            } else if model.actions.error != nil {
                NoticeBar(texts[.actionFailed]) { Button(texts[.close]) { model.actions.dismiss() } }
            }
        }
    }

    extension View {
        /// The tabs side by side; with large texts, which don't fit there, a menu.
        @ViewBuilder fileprivate func segmented(_ isSegmented: Bool) -> some View {
            if isSegmented { pickerStyle(.segmented) } else { pickerStyle(.menu) }
        }
    }
#endif
