import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxViews

/// The person's interactions with cards.
extension InboxUI {
    // MARK: - Displayed

    func show(_ id: String, share: Double) {
        guard cards[id] != nil else { return }
        displays?.show(id, share: share)
    }

    /// Returns the tracker of displayed cards. A card counts as displayed as soon as it appears, as Adobe's document
    /// says.
    func makeDisplays(_ inbox: Inbox) -> DisplayTracker {
        DisplayTracker(inbox, rule: DisplayRule(share: 0, seconds: 0), clock: clock) { [weak self] ids in
            // They are reported even if they have been removed meanwhile.
            let (cards, listener) = (ids.compactMap { self?.cards[$0] }, self?.listener)
            return { for card in cards { listener?.onCardDisplayed(card) } }
        }
    }

    // MARK: - Tapped

    /// Tracks a tap on a card or one of its buttons, and opens its link unless the listener has handled it.
    ///
    /// - Parameter opener: Opens the link if the app has set no ``linkOpener``: the window of the card.
    func interact(
        _ card: ContentCardUI,
        _ interactionId: String,
        action: MessageAction?,
        opener: LinkOpener? = nil
    ) async throws {
        var failure: (any Error)?
        // A display is tracked before later events.
        await displays?.waitUntilIdle()
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
        displays?.show(card.id, share: 0)
        dismissed.insert(card.id)
        cards[card.id] = nil
        order.removeAll { $0 == card.id }
        state = .loaded(shownCards)
        // The display is tracked before the dismissal.
        await displays?.waitUntilIdle()
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
