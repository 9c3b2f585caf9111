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

    /// Tracks the cards that count as displayed by now, and waits for the next ones.
    @discardableResult
    private func followDisplay() -> Task<Void, Never>? {
        let tracking = trackDisplayed()
        work.displaying = displayRule.nextTime.map { next in
            Task { [weak self, clock] in
                guard (try? await clock.sleep(until: next)) != nil else { return }
                self?.followDisplay()
            }
        }
        return tracking
    }

    /// Removes cards from the screen. Those that count as displayed are tracked while they exist, the others no longer.
    ///
    /// - Returns: The tracking task, if there is something to track.
    @discardableResult
    func hide(_ ids: [String]) -> Task<Void, Never>? {
        guard !ids.isEmpty else { return nil }
        for id in ids { displayRule.show(id, share: 0, at: clock.now) }
        return followDisplay()
    }

    @discardableResult
    func trackDisplayed() -> Task<Void, Never>? {
        let ids = displayRule.displayed(at: clock.now)
        guard !ids.isEmpty, let inbox else { return nil }
        let displayed = ids.compactMap { cards[$0] }
        return Task { [listener] in
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

    // MARK: - Sent away

    func dismiss(_ card: ContentCardUI) async throws {
        guard let inbox, cards[card.id] != nil else { return }
        let tracking = hide([card.id])
        dismissed.insert(card.id)
        cards[card.id] = nil
        order.removeAll { $0 == card.id }
        state = .loaded(shownCards)
        // What was displayed was so before it was sent away.
        await tracking?.value
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
