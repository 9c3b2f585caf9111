import Groundwork
public import InboxAdapters
import InboxClient
import InboxModel

/// A card of a surface, or the settings of its inbox.
///
/// It is created from the data on the device. If it was imported from Adobe, its contents are the original ones.
public struct Proposition: Hashable, Sendable, Identifiable {
    /// The id: Adobe's if the proposition was imported, otherwise the message's.
    public var uniqueId: String { adapted.id }
    /// The surface's URI.
    public var scope: String { adapted.scope }
    /// The id of the proposition's activity, or an empty text if it has none.
    public var activityId: String { adapted.activityId }
    /// The items.
    public let items: [PropositionItem]
    /// The same as ``uniqueId``.
    public var id: String { uniqueId }
    /// The proposition as in Adobe's JSON.
    public let adapted: AdobeProposition

    init(_ message: Message, in inbox: Inbox) {
        self.init(AdobeProposition(message), message: message.id, in: inbox)
    }

    init(_ settings: InboxSettings, of surface: Surface, in inbox: Inbox) {
        self.init(
            AdobeProposition(
                id: surface.name,
                scope: surface.name,
                scopeDetails: JSONObject([("activity", ["id": .string(surface.name)])]),
                items: [AdobeItem(id: surface.name, settings)]
            ),
            message: nil,
            in: inbox
        )
    }

    private init(_ adapted: AdobeProposition, message: String?, in inbox: Inbox) {
        self.adapted = adapted
        items = adapted.items.map { PropositionItem($0, of: adapted, message: message, in: inbox) }
    }
}
