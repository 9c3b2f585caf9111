import InboxCards
import InboxViews
public import Observation

/// The button that opens the list, with the number of unread messages.
@MainActor
@Observable
public final class AppInboxButtonModel {
    /// The look. An app may change it.
    public var look: AppInboxButtonLook

    private let counts: CustomerModels<UnreadCountModel>
    @ObservationIgnored private let client: Exponea

    @ObservationIgnored private let texts: AppInboxTexts

    init(_ client: Exponea, style: AppInboxStyle, texts: AppInboxTexts) {
        (self.client, self.texts) = (client, texts)
        var appearance = AppInboxButtonAppearance(textSize: 16, cornerRadius: 4)
        appearance.apply(style.appInboxButton)
        look = AppInboxButtonLook(texts[.button], hasIcon: true, appearance)
        counts = CustomerModels(client) { UnreadCountModel($0) }
    }

    /// The number of unread messages; 0 without an inbox.
    public var unreadCount: Int { counts.models?.value ?? 0 }

    /// The text of the badge: the number up to 99, then `99+`. Nil for no badge.
    public var badge: String? {
        let count = unreadCount
        return count == 0 ? nil : count > 99 ? "99+" : String(count)
    }

    /// The number of unread messages for VoiceOver; nil if there are none.
    public var accessibilityValue: String? { unreadCount == 0 ? nil : texts.cardTexts.unreadCount(unreadCount) }

    /// Opens the list of the provider that is registered at this time.
    public func tap() {
        guard look.isEnabled else { return }
        client.openAppInbox()
    }
}
