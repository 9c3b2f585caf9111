import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel
import Replica

/// The observation of the store.
extension InboxUI {
    /// Reads the settings and then the messages again, and observes them. A card is created once the surface's settings
    /// are known.
    func watch(_ inbox: Inbox) {
        (tasks.didReadMessages, tasks.didReadSettings) = (false, false)
        // Reads under way are older than this one.
        tasks.messagesGeneration += 1
        watchSettings(inbox)
    }

    func watchMessages(_ inbox: Inbox) {
        tasks.messagesGeneration += 1
        let (generation, name, limit) = (tasks.messagesGeneration, surface.name, capacity * tasks.pages)
        let snapshots = inbox.observe(.inbox, surface: name, limit: limit)
        tasks.messages = Task { [weak self, clock = inbox.store.clock] in
            var hasFailed = false
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                // A snapshot from before the inbox was closed may arrive after the close.
                guard let self, tasks.messagesGeneration == generation, !tasks.isClosed else { return false }
                hasFailed = false
                let changed = await ChangedMessages.ids(in: snapshot.items, comparedWith: tasks.items)
                // Meanwhile the inbox may have been closed, or its messages are observed again.
                guard tasks.messagesGeneration == generation, !tasks.isClosed else { return false }
                apply(snapshot, changed: changed)
                return true
            } failed: { [weak self] error in
                // Each row of failures is reported once. The observation begins again.
                guard !hasFailed, let self, tasks.messagesGeneration == generation, !tasks.isClosed else { return }
                hasFailed = true
                fail(error)
            } ended: { [weak self] in
                guard let self, tasks.messagesGeneration == generation else { return }
                close()
            }
        }
    }

    private func watchSettings(_ inbox: Inbox) {
        tasks.settingsGeneration += 1
        let (generation, name) = (tasks.settingsGeneration, surface.name)
        tasks.settings = Task { [weak self] in
            let hasSynced = (try? await inbox.status().lastSync) != nil
            guard !Task.isCancelled else { return }
            self?.tasks.hasSynced = hasSynced
            for await settings in inbox.observeSettings(surface: name) {
                guard let self, tasks.settingsGeneration == generation else { return }
                apply(settings, inbox)
            }
            guard !Task.isCancelled, let self, tasks.settingsGeneration == generation else { return }
            close()
        }
    }

    /// The number of cards of a page.
    var capacity: Int {
        if let capacity = inboxSchemaData?.capacity { return capacity }
        // Before settings that are required, no cards are shown.
        let isUnlimited = endsAtCapacity && (inboxSchemaData != nil || !requiresSettings)
        return isUnlimited ? Self.maxCards : Self.defaultCapacity
    }

    // MARK: - Changes

    private func apply(_ new: Result<InboxSettings?, InboxClient.InboxError>, _ inbox: Inbox) {
        let earlier = capacity
        switch new {
        case .success(let stored):
            let read = stored ?? InboxSettings()
            let isNew = read != settings || hasSettings != (stored != nil)
            hasSettings = stored != nil
            // If a surface without settings is an error, the cards on screen stay as they are.
            if isNew, hasSettings || !requiresSettings || !state.isLoaded {
                settings = read
                inboxSchemaData = stored.map(InboxSchemaData.init)
                remakeCards()
            }
            settingsError = nil
        case .failure:
            settingsError = .invalidInboxSchemaData
        }
        if !tasks.didReadSettings || capacity != earlier { watchMessages(inbox) }
        tasks.didReadSettings = true
        endRefresh()
    }

    /// Shows a snapshot: the cards that aren't dismissed, the pinned ones first.
    ///
    /// - Parameter changed: The ids of the messages that differ from `tasks.items`.
    private func apply(_ snapshot: InboxSnapshot, changed: Set<String>) {
        // On a new device, the first messages arrive before the settings.
        guard tasks.hasSynced || tasks.pendingRefresh != nil || !isRefreshing else { return }
        let shown = snapshot.items.map(\.id)
        tasks.isExtending = false
        dismissed.formIntersection(shown)
        let messages = snapshot.items.filter { !dismissed.contains($0.id) }
        tasks.items = snapshot.items
        let list = cards(for: messages.filter(\.isPinned) + messages.filter { !$0.isPinned }, changed: changed)
        hasMore = snapshot.counts.total > snapshot.items.count
        unreadCount = snapshot.counts.unread
        tasks.didReadMessages = true
        // Until the first sync has ended, an empty list only means that no messages are known yet.
        let isKnown = !list.isEmpty || (snapshot.hasSynced && !isRefreshing)
        if state.isLoaded || (isKnown && (hasSettings || !requiresSettings)) { show(list) }
        waitForTimeChange()
        endRefresh()
    }

    /// Shows cards. The state isn't set if the list hasn't changed.
    private func show(_ list: [ContentCardUI]) {
        if !state.isLoaded || !state.cards.elementsEqual(list, by: ===) { state = .loaded(list) }
        for card in list where tasks.reportedIDs.insert(card.id).inserted { listener?.onCardCreated(card) }
    }

    /// Ends a refresh once both messages and settings were read after it.
    private func endRefresh() {
        guard let refresh = tasks.pendingRefresh, tasks.didReadMessages, tasks.didReadSettings else { return }
        tasks.pendingRefresh = nil
        let list = shownCards
        if let failure = refresh.failure {
            if refresh.hasSynced, !state.isLoaded, hasSettings || !requiresSettings { show(list) }
            return fail(failure)
        }
        if requiresSettings, !hasSettings {
            return fail(
                settingsError ?? (list.isEmpty ? .dataUnavailable : .inboxSchemaDataNotFound) as InboxUIError
            )
        }
        show(list)
        if let settingsError { return fail(settingsError) }
        finishRefresh()
        failure = nil
        listener?.onSuccess(self)
    }

    private func finishRefresh() {
        isRefreshing = false
        let waiting = tasks.waiting
        tasks.waiting = []
        for continuation in waiting { continuation.resume() }
    }

    /// Ends a failed refresh. The cards on screen stay.
    func fail(_ failure: any Error) {
        let error = InboxUIError(failure)
        self.failure = failure
        finishRefresh()
        if !state.isLoaded { state = .error(error) }
        listener?.onError(self, error)
    }

    /// Handles the end of the store, such as after a sign-out: the person's data is no longer shown.
    private func close() {
        guard !tasks.isClosed else { return }
        let failure = InboxClient.InboxError(.closed, "The inbox was closed.")
        tasks.isClosed = true
        tasks.refreshing?.cancel()
        (tasks.messages, tasks.settings, tasks.timeUpdate, displays) = (nil, nil, nil, nil)
        tasks.pendingRefresh = nil
        (cards, order, tasks.items) = ([:], [], [])
        (hasMore, unreadCount) = (false, 0)
        let error = InboxUIError(failure)
        self.failure = failure
        state = .error(error)
        finishRefresh()
        listener?.onError(self, error)
        // Nothing is reported from now on, and a listener that holds this inbox would keep both in memory.
        listener = nil
    }
}
