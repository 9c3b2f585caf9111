public import Foundation
import Groundwork

/// One message in a person's inbox, as the app's backend sent it, together with what the person did with it.
///
/// The same flat object travels in the sending API, over JMAP and to the screens; `Documentation/Messages.md` lists its
/// fields with their limits. What the sender wrote is in the first properties; the five dates at the end are the
/// person's own.
///
/// A value: reading a property never touches the store or the network. The properties that lists seldom show (``html``,
/// ``media``, ``actions``, ``templateId``, ``consentCategory``, ``additionalData``, ``campaignId``, ``link``,
/// ``dismissButton``) are decoded when they are asked for, each time; keep the result where it is used often.
public struct Message: Identifiable, Hashable, Sendable {
    /// The server's id for the message, 1–255 of `A-Za-z0-9-_` (RFC 8620 §1.2).
    public var id: String
    /// The place in the app where the message is shown. `"inbox"` unless the sender says otherwise.
    public var surface: String
    /// The headline. May be empty where the message has a body, HTML or media instead.
    public var title: String
    /// The text. May be empty.
    public var body: String
    /// A heading under which the app may show it, such as a tab.
    public var category: String?
    /// Messages with the same key belong together.
    public var groupKey: String?
    /// How much it matters to the sender, −1000…1000, 0 by default; higher is more.
    public var priority: Int
    /// Whether the sender wants it kept at the top. Lists come by delivery, so that is for the screen to do; the device
    /// never removes it to make room.
    public var pinned: Bool
    /// When it was, or is to be, delivered.
    public var deliverAt: Date
    /// When it ceases to be shown, by the device's own clock; nil for never.
    public var expiresAt: Date?

    /// When the person first had it on screen.
    public var seenAt: Date?
    /// When the person read it; nil while unread.
    public var readAt: Date?
    /// When the person put it into the archive.
    public var archivedAt: Date?
    /// Until when it is out of the way; past dates mean that it is back.
    public var snoozedUntil: Date?
    /// When the person deleted it: hidden everywhere at once, gone for good after 30 days.
    public var deletedAt: Date?

    private var details: MessageDetails.Source

    /// Makes a message, for previews and tests.
    public init(
        id: String,
        surface: String = Message.defaultSurface,
        title: String = "",
        body: String = "",
        html: String? = nil,
        media: Media? = nil,
        actions: [MessageAction] = [],
        templateId: String? = nil,
        category: String? = nil,
        groupKey: String? = nil,
        priority: Int = 0,
        pinned: Bool = false,
        deliverAt: Date,
        expiresAt: Date? = nil,
        consentCategory: String? = nil,
        additionalData: [String: String] = [:],
        campaignId: String? = nil,
        link: String? = nil,
        dismissButton: DismissButton? = nil,
        seenAt: Date? = nil,
        readAt: Date? = nil,
        archivedAt: Date? = nil,
        snoozedUntil: Date? = nil,
        deletedAt: Date? = nil
    ) {
        self.init(
            id: id,
            surface: surface,
            title: title,
            body: body,
            category: category,
            groupKey: groupKey,
            priority: priority,
            pinned: pinned,
            deliverAt: deliverAt,
            expiresAt: expiresAt,
            details: .decoded(
                MessageDetails(
                    html: html,
                    media: media,
                    actions: actions,
                    templateId: templateId,
                    consentCategory: consentCategory,
                    additionalData: additionalData,
                    campaignId: campaignId,
                    link: link,
                    dismissButton: dismissButton
                )
            )
        )
        self.seenAt = seenAt
        self.readAt = readAt
        self.archivedAt = archivedAt
        self.snoozedUntil = snoozedUntil
        self.deletedAt = deletedAt
    }

    package init(
        id: String,
        surface: String,
        title: String,
        body: String,
        category: String?,
        groupKey: String?,
        priority: Int,
        pinned: Bool,
        deliverAt: Date,
        expiresAt: Date?,
        details: MessageDetails.Source
    ) {
        self.id = id
        self.surface = surface
        self.title = title
        self.body = body
        self.category = category
        self.groupKey = groupKey
        self.priority = priority
        self.pinned = pinned
        self.deliverAt = deliverAt
        self.expiresAt = expiresAt
        self.details = details
    }

    /// The surface of a message whose sender names none.
    public static let defaultSurface = "inbox"

    /// Of the properties that lists seldom show, those that a card has, decoded once; the others are empty.
    package var cardDetails: MessageDetails { details.cardValue }

    /// The message as HTML, not yet cleaned: never show it as it is.
    public var html: String? {
        get { details.value.html }
        set { details.change { $0.html = newValue } }
    }

    /// A picture or video that goes with it.
    public var media: Media? {
        get { details.value.media }
        set { details.change { $0.media = newValue } }
    }

    /// The buttons, in the sender's order.
    public var actions: [MessageAction] {
        get { details.value.actions }
        set { details.change { $0.actions = newValue } }
    }

    /// Which of the app's templates shows it.
    public var templateId: String? {
        get { details.value.templateId }
        set { details.change { $0.templateId = newValue } }
    }

    /// The kind of consent that telling the sender what is done with this message needs; nil where it needs none.
    public var consentCategory: String? {
        get { details.value.consentCategory }
        set { details.change { $0.consentCategory = newValue } }
    }

    /// Whatever else the sender wants the app to know.
    public var additionalData: [String: String] {
        get { details.value.additionalData }
        set { details.change { $0.additionalData = newValue } }
    }

    /// The campaign to which it belongs.
    public var campaignId: String? {
        get { details.value.campaignId }
        set { details.change { $0.campaignId = newValue } }
    }

    /// Where a tap on the message itself leads: a web address or a deep link into the app; nil or empty for nowhere.
    public var link: String? {
        get { details.value.link }
        set { details.change { $0.link = newValue } }
    }

    /// Which button on its card sends it away; nil for the usual one.
    public var dismissButton: DismissButton? {
        get { details.value.dismissButton }
        set { details.change { $0.dismissButton = newValue } }
    }
}

extension Message {
    /// What the person did with it: deleted before read before unread.
    public var status: MessageStatus {
        deletedAt != nil ? .deleted : readAt != nil ? .read : .unread
    }

    /// Whether the person hasn't read it.
    public var isUnread: Bool { readAt == nil }

    /// Whether it has expired by that time.
    public func isExpired(at time: Date) -> Bool {
        expiresAt.map { $0 <= time } ?? false
    }

    /// Whether it is out of the way at that time, because the person snoozed it.
    public func isSnoozed(at time: Date) -> Bool {
        snoozedUntil.map { $0 > time } ?? false
    }
}
