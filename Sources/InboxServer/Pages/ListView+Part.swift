import Hummingbird
import InboxHTML
import InboxService

// How an address names the part of an inbox that a page shows.

extension ListView {
    static let names: Set<String> = [Name.surface, Name.before, Name.limit]

    /// Reads the view from an address's query.
    ///
    /// - Throws: ``Problem`` 400 for an invalid surface, position or number.
    init(_ query: QueryParameters) throws {
        self.init(
            surface: query[Name.surface],
            before: query[Name.before],
            limit: try query.int(Name.limit, in: 1...InboxPart.maxLimit)
        )
        guard surface.map(StoredSurface.isValid) ?? true else {
            throw Problem(.badRequest, "The surface's id \(StoredSurface.rule).")
        }
        guard before == nil || place != nil else { throw Problem(.badRequest, "before isn't a position in an inbox.") }
    }

    fileprivate init(_ part: InboxPart) {
        self.init(
            surface: part.surface,
            before: part.after.map { "\($0.deliverAt)-\($0.id.text)" },
            limit: part.limit
        )
    }

    /// The part of the inbox that the address names.
    var part: InboxPart { InboxPart(surface: surface, after: place, limit: limit) }

    /// The place after which the list begins, or nil for the newest message.
    private var place: DeliveryPlace? {
        guard let parts = before?.split(separator: "-", maxSplits: 1), parts.count == 2, let time = Int(parts[0]),
            time >= 0, let id = MessageID(String(parts[1]))
        else { return nil }
        return DeliveryPlace(deliverAt: time, id: id)
    }
}

extension ListPage {
    /// - Parameter view: The view of which `page` is the part.
    init(_ page: InboxPage, view: ListView) {
        self.init(
            messages: page.messages,
            unread: UnreadCount(page.unread.count, isExact: page.unread.isExact),
            settings: page.settings,
            view: view,
            next: page.next.map { ListView($0) },
            undoable: page.undoable
        )
    }
}
