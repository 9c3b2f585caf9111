import Foundation
public import InboxAdapters
import Groundwork
import InboxClient
import InboxModel
import InboxViews

/// The schema of an item.
public typealias SchemaType = AdobeItem.Schema

/// An item of a ``Proposition``.
public struct PropositionItem: Hashable, Sendable, Identifiable {
    private let adapted: AdobeItem
    private let proposition: AdobeProposition
    /// The id of the item's message, or nil for settings.
    private let message: String?
    private let source: Source

    init(_ adapted: AdobeItem, of proposition: AdobeProposition, message: String?, in inbox: Inbox) {
        (self.adapted, self.proposition, self.message) = (adapted, proposition, message)
        source = Source(inbox: inbox)
    }

    /// The id.
    public var itemId: String { adapted.id }
    /// The schema.
    public var schema: SchemaType { adapted.schema }
    /// The content.
    public var itemData: [String: Any] { JSON.object(adapted.data).dictionary }
    /// The card, or nil if the item isn't a card or can't be shown.
    public var card: AdobeCard? { try? AdobeCard(reading: adapted.dataReader) }
    /// The same as ``itemId``.
    public var id: String { itemId }

    /// Tracks an event of a card. It is stored before it is sent, and needs no network. An interaction also marks the
    /// card as read. Events of settings are ignored.
    ///
    /// The event is stored in the inbox from which the item was read, whichever is set meanwhile. After that inbox was
    /// closed, as by a sign-out, no event is stored.
    ///
    /// - Parameters:
    ///   - interaction: The name of the interaction, such as a button's id; at most 256 bytes.
    ///   - eventType: The type of the event.
    ///   - tokens: The event's tokens, stored as `tokens` in its data.
    @MainActor
    public func track(
        _ interaction: String? = nil,
        withEdgeEventType eventType: MessagingEdgeEventType,
        forTokens tokens: [String]? = nil
    ) {
        guard let message else { return }
        let inbox = source.inbox
        let data: [String: EventValue] = tokens.map { ["tokens": .string($0.joined(separator: ","))] } ?? [:]
        Task {
            if eventType == .interact {
                _ = try? await inbox.click(message, action: interaction, data: data)
            } else {
                _ = try? await inbox.track(eventType.type, message, action: interaction, data: data) as Bool
            }
        }
    }

    /// Returns the data of Adobe's event for an interaction, for an app that sends it to Adobe itself.
    ///
    /// - Parameters: The same as those of ``track(_:withEdgeEventType:forTokens:)``.
    public func generateInteractionXdm(
        _ interaction: String? = nil,
        withEdgeEventType eventType: MessagingEdgeEventType,
        forTokens tokens: [String]? = nil
    ) -> [String: Any]? {
        var item = JSONObject([("id", .string(adapted.id))])
        if let tokens, let first = tokens.first {
            item["characteristics"] = ["tokens": .string(tokens.count == 1 ? first : tokens.joined(separator: ","))]
        }
        var decisioning = JSONObject([
            ("propositionEventType", .object(JSONObject([(eventType.name, 1)]))),
            (
                "propositions",
                [
                    [
                        "id": .string(proposition.id), "scope": .string(proposition.scope),
                        "scopeDetails": .object(proposition.scopeDetails), "items": [.object(item)],
                    ]
                ]
            ),
        ])
        if let interaction {
            decisioning["propositionAction"] =
                eventType == .suppressDisplay
                ? ["reason": .string(interaction)] : ["id": .string(interaction), "label": .string(interaction)]
        }
        let xdm: JSON = [
            "eventType": .string(eventType.toString()), "_experience": ["decisioning": .object(decisioning)],
        ]
        return xdm.dictionary
    }
}

/// The inbox from which an item was read. The items of two inboxes differ, whatever their contents.
private struct Source: Hashable, Sendable {
    let inbox: Inbox

    static func == (one: Source, other: Source) -> Bool { one.inbox === other.inbox }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(inbox)) }
}

extension JSON {
    /// The object as a Foundation dictionary, empty for any other value.
    fileprivate var dictionary: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(utf8))) as? [String: Any] ?? [:]
    }
}
