import Foundation
import InboxCards
import InboxClient
import InboxModel

/// What the person does with cards.
extension InboxUI {
    // MARK: - Displayed

    func show(_ id: String, share: Double) {
        guard cards[id] != nil else { return }
        displayRule.show(id, share: share, at: clock.now)
        followDisplay()
    }

    /// Tells what counts as displayed by now, and waits for what will.
    private func followDisplay() {
        tellDisplayed()
        work.displaying = displayRule.nextTime.map { next in
            Task { [weak self, clock] in
                guard (try? await clock.sleep(until: next)) != nil else { return }
                self?.followDisplay()
            }
        }
    }

    func tellDisplayed() {
        let ids = displayRule.displayed(at: clock.now)
        guard !ids.isEmpty, let inbox else { return }
        let displayed = ids.compactMap { cards[$0] }
        Task { [listener] in
            _ = try? await inbox.track(.displayed, ids)
            _ = try? await inbox.markSeen(ids)
            for card in displayed { listener?.onCardDisplayed(card) }
        }
    }

    // MARK: - Tapped

    func interact(_ card: ContentCardUI, _ interactionId: String, action: MessageAction?) async throws {
        var failure: (any Error)?
        if let inbox {
            do {
                try await inbox.click(card.id, action: interactionId)
                try await readActivity(of: card.message, in: inbox)
            } catch {
                failure = error
            }
        }
        let link = action ?? MessageAction(id: interactionId, text: "", link: card.card.link ?? "")
        let url = link.link.isEmpty ? nil : URL(string: link.link)
        let isHandled = listener?.onCardInteracted(card, interactionId, actionURL: url) ?? false
        // Where the store fails, the person still gets where they want to go.
        if !isHandled, url != nil { await linkOpener?.open(link, of: card.message) }
        if let failure { throw failure }
    }

    /// Reads the other messages of the same activity, shown or not.
    private func readActivity(of message: Message, in inbox: Inbox) async throws {
        guard let activity = message.activity else { return }
        let key = Message.activityKey
        let query = Query(where: #Predicate<Message> { $0.additionalData[key] == activity && $0.readAt == nil })
        let others = try await inbox.fetch(query, in: .active)
        if !others.isEmpty { try await inbox.markRead(others.map(\.id)) }
    }

    // MARK: - Sent away

    func dismiss(_ card: ContentCardUI) async throws {
        guard let inbox, cards[card.id] != nil else { return }
        dismissed.insert(card.id)
        cards[card.id] = nil
        order.removeAll { $0 == card.id }
        state = .loaded(shownCards)
        do {
            try await inbox.dismiss([card.id])
        } catch {
            // It is there as before.
            dismissed.remove(card.id)
            watchMessages(inbox)
            throw error
        }
        listener?.onCardDismissed(card)
    }
}
