public import Foundation
import Groundwork

/// A message in a person's inbox, with its state.
///
/// The same flat object is used in the sending API, over JMAP and on screen; `Documentation/Messages.md` lists its
/// fields with their limits. The sender's properties come first; the five dates at the end are the person's state.
///
/// A message is a value: reading a property never accesses the store or the network. Some properties
/// (``html``, ``media``, ``actions``, ``templateID``, ``consentCategory``, ``additionalData``, ``campaignID``,
/// ``link``, ``dismissButton``) are decoded on each access, so keep the result if you use it often.
public struct Message: Identifiable, Hashable, Sendable {
    /// The server's id for the message, 1–255 characters of `A-Za-z0-9-_` (RFC 8620, section 1.2).
    public var id: String
    /// The name of the ``Surface`` on which the message is shown, `"inbox"` by default.
    public var surface: String
    /// The headline. It may be empty if the message has a body, HTML or media.
    public var title: String
    /// The text. It may be empty.
    public var body: String
    /// A heading under which the app may show the message, such as a tab.
    public var category: String?
    /// The key of the group to which the message belongs. Messages with the same key form a group.
    public var groupKey: String?
    /// The message's importance to the sender, −1000…1000, 0 by default. Higher is more important.
    public var priority: Int
    /// Whether the sender requests that the message stays at the top. Lists are sorted by delivery, so pinning is up to
    /// the screen. The device never removes a pinned message to free space.
    public var isPinned: Bool
    /// The time of delivery, which may be in the future.
    public var deliverAt: Date
    /// The time at which the message expires, by the device's clock. Nil if it never does.
    public var expiresAt: Date?

    /// The time at which the person first had the message on screen.
    public var seenAt: Date?
    /// The time at which the person read the message, or nil if it is unread.
    public var readAt: Date?
    /// The time at which the person archived the message.
    public var archivedAt: Date?
    /// The time until which the message is snoozed. A past date means that it is active again.
    public var snoozedUntil: Date?
    /// The time at which the person deleted the message. It is hidden everywhere at once and removed after 30 days.
    public var deletedAt: Date?

    private var details: MessageDetails.Source

    /// Creates a message for previews and tests.
    public init(
        id: String,
        surface: String = Message.defaultSurface,
        title: String = "",
        body: String = "",
        html: String? = nil,
        media: Media? = nil,
        actions: [MessageAction] = [],
        templateID: String? = nil,
        category: String? = nil,
        groupKey: String? = nil,
        priority: Int = 0,
        isPinned: Bool = false,
        deliverAt: Date,
        expiresAt: Date? = nil,
        consentCategory: String? = nil,
        additionalData: [String: String] = [:],
        campaignID: String? = nil,
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
            isPinned: isPinned,
            deliverAt: deliverAt,
            expiresAt: expiresAt,
            details: .decoded(
                MessageDetails(
                    html: html,
                    media: media,
                    actions: actions,
                    templateID: templateID,
                    consentCategory: consentCategory,
                    additionalData: additionalData,
                    campaignID: campaignID,
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
        isPinned: Bool,
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
        self.isPinned = isPinned
        self.deliverAt = deliverAt
        self.expiresAt = expiresAt
        self.details = details
    }

    /// The default surface of a message, `"inbox"`.
    public static let defaultSurface = "inbox"

    /// The details that a card shows, decoded once. The other details are empty.
    package var cardDetails: MessageDetails { details.cardValue }

    /// The message's HTML. It isn't sanitized; never show it unprocessed.
    public var html: String? {
        get { details.value.html }
        set { details.change { $0.html = newValue } }
    }

    /// The message's image or video.
    public var media: Media? {
        get { details.value.media }
        set { details.change { $0.media = newValue } }
    }

    /// The buttons, in the sender's order.
    public var actions: [MessageAction] {
        get { details.value.actions }
        set { details.change { $0.actions = newValue } }
    }

    /// The id of the app's template that shows the message.
    public var templateID: String? {
        get { details.value.templateID }
        set { details.change { $0.templateID = newValue } }
    }

    /// The category of consent that reporting the message's events to the sender requires. Nil if none is required.
    public var consentCategory: String? {
        get { details.value.consentCategory }
        set { details.change { $0.consentCategory = newValue } }
    }

    /// Additional values from the sender for the app.
    public var additionalData: [String: String] {
        get { details.value.additionalData }
        set { details.change { $0.additionalData = newValue } }
    }

    /// The id of the campaign to which the message belongs.
    public var campaignID: String? {
        get { details.value.campaignID }
        set { details.change { $0.campaignID = newValue } }
    }

    /// The target of a tap on the message: a web address or a deep link into the app. Nil or empty if there is none.
    public var link: String? {
        get { details.value.link }
        set { details.change { $0.link = newValue } }
    }

    /// The style of the dismiss button on the message's card. Nil for the default style.
    public var dismissButton: DismissButton? {
        get { details.value.dismissButton }
        set { details.change { $0.dismissButton = newValue } }
    }
}

/// The state of a message: unread, read or deleted.
public enum MessageStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Neither read nor deleted.
    case unread = "UNREAD"
    /// Read and not deleted.
    case read = "READ"
    /// Deleted, whether or not it was read.
    case deleted = "DELETED"
}

extension Message {
    /// The state of the message. Deleted takes precedence over read, and read over unread.
    public var status: MessageStatus {
        deletedAt != nil ? .deleted : readAt != nil ? .read : .unread
    }

    /// Whether the message is unread.
    public var isUnread: Bool { readAt == nil }

    /// Whether the message has expired at the given time.
    public func isExpired(at time: Date) -> Bool {
        expiresAt.map { $0 <= time } ?? false
    }

    /// Whether the message is snoozed at the given time.
    public func isSnoozed(at time: Date) -> Bool {
        snoozedUntil.map { $0 > time } ?? false
    }
}

extension Message {
    /// The key of ``additionalData`` that names the activity of a message. When one message of an activity is read, all
    /// of them are.
    public static let activityKey = "activityId"

    /// The activity to which the message belongs, or nil if there is none.
    public var activity: String? {
        additionalData[Self.activityKey].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The key of ``additionalData`` that names the category in which the person had agreed when the message was sent.
    /// Such a message needs no consent on the device. The name is that of Bloomreach's messages.
    public static let grantedConsentKey = "consent_category_tracking"

    /// The category in which the person had agreed when the message was sent, or nil if none is named.
    public var grantedConsentCategory: String? { additionalData[Self.grantedConsentKey] }
}
