import Groundwork
public import InboxAdapters
import InboxModel

/// What a surface has: a card, or the settings of its inbox.
///
/// Made of what is stored on the device. One that was imported from Adobe is as it was there.
public struct Proposition: Hashable, Sendable, Identifiable {
    /// Its id: Adobe's, where it was imported, else the message's.
    public var uniqueId: String { adapted.id }
    /// The surface's URI.
    public var scope: String { adapted.scope }
    /// The activity to which it belongs; empty for none.
    public var activityId: String { adapted.activityId }
    /// What it has.
    public let items: [PropositionItem]
    /// The same as ``uniqueId``.
    public var id: String { uniqueId }
    /// As Adobe's JSON has it.
    public let adapted: AdobeProposition

    init(_ message: Message) {
        self.init(AdobeProposition(message), message: message.id)
    }

    init(_ settings: InboxSettings, of surface: Surface) {
        self.init(
            AdobeProposition(
                id: surface.name,
                scope: surface.name,
                scopeDetails: JSONObject([("activity", ["id": .string(surface.name)])]),
                items: [AdobeItem(id: surface.name, settings)]
            ),
            message: nil
        )
    }

    private init(_ adapted: AdobeProposition, message: String?) {
        self.adapted = adapted
        items = adapted.items.map { PropositionItem($0, of: adapted, message: message) }
    }
}
