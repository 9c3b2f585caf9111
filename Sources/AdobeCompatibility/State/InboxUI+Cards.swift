import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel

/// The cards that are shown.
extension InboxUI {
    /// The shown cards, in order.
    var shownCards: [ContentCardUI] { order.compactMap { cards[$0] } }

    var context: CardContext {
        var indicator = settings.unreadIndicator
        if let iconSizeOverride, !iconSizeOverride.isNaN {
            indicator.size = Int(min(max(iconSizeOverride, 1), 1_000).rounded())
        }
        return CardContext(
            unreadIndicator: indicator,
            relativeTime: relativeTime,
            now: clock.now
        )
    }

    /// Returns the cards of messages, in order, and makes them the shown ones. Cards that are shown already are reused;
    /// those of other messages are released.
    ///
    /// - Parameter changed: The ids of the messages that differ from those of the shown cards.
    func cards(for messages: [Message], changed: Set<String>) -> [ContentCardUI] {
        let context = context
        var kept: [String: ContentCardUI] = [:]
        kept.reserveCapacity(messages.count)
        let list = messages.map { message in
            let card = card(for: message, isChanged: changed.contains(message.id), context)
            kept[message.id] = card
            return card
        }
        // Those that count as displayed are tracked while they exist.
        displays?.show(cards.keys.filter { kept[$0] == nil }, share: 0)
        (cards, order) = (kept, messages.map(\.id))
        readActivities(list)
        return list
    }

    private func card(for message: Message, isChanged: Bool, _ context: CardContext) -> ContentCardUI {
        guard let known = cards[message.id] else {
            return ContentCardUI(message, make(message, message.isUnread, context), inbox: self)
        }
        guard isChanged else { return known }
        if !known.message.hasContent(of: message) {
            known.update(message, make(message, message.isUnread, context))
        } else if known.message != message {
            var card = known.card
            card.isUnread = message.isUnread
            known.update(message, card)
        }
        return known
    }

    /// Creates a card with the surface's settings, and lets the customizer change it.
    private func make(_ message: Message, _ isUnread: Bool, _ context: CardContext) -> Card {
        var card = Card(message, in: context)
        card.isUnread = isUnread
        // Adobe's three templates have no time. A message of another kind that looks like one of them has one.
        if message.templateID == card.template.rawValue, card.template.isAdobes { card.time = nil }
        customizer?.customize(&card)
        return card
    }

    /// Creates all cards again, after a change of the settings or texts.
    func remakeCards() {
        guard !cards.isEmpty else { return }
        let context = context
        for card in cards.values { card.update(card.message, make(card.message, !card.isRead, context)) }
        waitForTimeChange()
    }

    // MARK: - Times

    /// Waits until the next text of a card's time changes.
    func waitForTimeChange() {
        let now = clock.now
        let next = cards.values.filter { $0.card.time != nil }
            .compactMap { relativeTime.nextChange(of: $0.message.deliverAt, after: now) }.min()
        guard let next else {
            tasks.timeUpdate = nil
            return
        }
        let clock = clock
        tasks.timeUpdate = Task { [weak self] in
            guard (try? await clock.sleep(until: next)) != nil, let self else { return }
            updateTimes()
        }
    }

    private func updateTimes() {
        let context = context
        for card in cards.values {
            var changed = card.card
            changed.updateTime(card.message, in: context)
            card.update(card.message, changed)
        }
        waitForTimeChange()
    }
}

extension CardTemplate {
    /// Whether it is one of Adobe's document.
    fileprivate var isAdobes: Bool {
        switch self {
        case .smallImage, .largeImage, .imageOnly: true
        case .plainText, .push: false
        }
    }
}

extension Message {
    /// Whether two messages have the same content, regardless of the person's actions on either.
    fileprivate func hasContent(of other: Message) -> Bool {
        if self == other { return true }
        var (one, two) = (self, other)
        for path: WritableKeyPath<Message, Date?> in [
            \.seenAt, \.readAt, \.archivedAt, \.snoozedUntil, \.deletedAt,
        ] {
            one[keyPath: path] = nil
            two[keyPath: path] = nil
        }
        return one == two
    }
}
