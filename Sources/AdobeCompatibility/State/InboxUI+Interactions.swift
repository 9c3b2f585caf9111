import Foundation
import InboxCards
import InboxClient
import InboxModel

/// The person's interactions with cards.
extension InboxUI {
    // MARK: - Displayed

    func show(_ id: String, share: Double) {
        guard cards[id] != nil else { return }
        displayRule.show(id, share: share, at: clock.now)
        updateDisplayTracking()
    }

    /// Tracks the cards that count as displayed now, and schedules the next check.
    private func updateDisplayTracking() {
        trackDisplayed()
        tasks.displaying = displayRule.nextTime.map { next in
            Task { [weak self, clock] in
                guard (try? await clock.sleep(until: next)) != nil else { return }
                self?.updateDisplayTracking()
            }
        }
    }

    /// Records that cards are no longer visible. Those that count as displayed are tracked while they exist.
    func hide(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        for id in ids { displayRule.show(id, share: 0, at: clock.now) }
        updateDisplayTracking()
    }

    func trackDisplayed() {
        let ids = displayRule.displayed(at: clock.now)
        guard !ids.isEmpty, let inbox else { return }
        let displayed = ids.compactMap { cards[$0] }
        tasks.tracking = Task { [listener, earlier = tasks.tracking] in
            await earlier?.value
            _ = try? await inbox.track(.displayed, ids)
            _ = try? await inbox.markSeen(ids)
            for card in displayed { listener?.onCardDisplayed(card) }
        }
    }

    // MARK: - Tapped

    /// - Parameter opener: Opens the link if the app has set no ``linkOpener``: the window of the card.
    func interact(
        _ card: ContentCardUI,
        _ interactionId: String,
        action: MessageAction?,
        opener: LinkOpener? = nil
    ) async throws {
        var failure: (any Error)?
        // A display is tracked before what follows it.
        await tasks.tracking?.value
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
        // The link is opened even if the store fails.
        if !isHandled, url != nil { await (linkOpener ?? opener)?.open(link, of: card.message) }
        if let failure { throw failure }
    }

    // MARK: - Dismissed

    func dismiss(_ card: ContentCardUI) async throws {
        guard let inbox, cards[card.id] != nil else { return }
        hide([card.id])
        dismissed.insert(card.id)
        cards[card.id] = nil
        order.removeAll { $0 == card.id }
        state = .loaded(shownCards)
        // The display is tracked before the dismissal.
        await tasks.tracking?.value
        do {
            try await inbox.dismiss([card.id])
        } catch {
            // The card is shown again.
            dismissed.remove(card.id)
            watchMessages(inbox)
            throw error
        }
        listener?.onCardDismissed(card)
    }
}
