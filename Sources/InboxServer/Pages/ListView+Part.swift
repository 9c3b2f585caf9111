import Foundation
import Groundwork
import Hummingbird
import InboxHTML
import InboxModel
import InboxService

// How an address names the part of an inbox that a page shows.

extension ListView {
    static let names: Set<String> = [Name.surface, Name.tab, Name.search, Name.before, Name.limit]

    /// Reads the view from an address's query.
    ///
    /// - Throws: ``Problem`` 400 for an invalid surface, tab, position or number, or a search that is too long.
    init(_ query: QueryParameters) throws {
        let tab = query[Name.tab].map { InboxTab(rawValue: $0) } ?? .inbox
        guard let tab else {
            let names = InboxTab.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, "The tab has to be one of \(names).")
        }
        let search = query[Name.search].flatMap { MessageSearch.words(of: $0).isEmpty ? nil : $0 }
        guard search?.utf8.count ?? 0 <= MessageSearch.maximumSize else {
            throw Problem(.badRequest, "The search has more than \(MessageSearch.maximumSize) bytes.")
        }
        self.init(
            surface: query[Name.surface],
            tab: tab,
            search: search,
            before: query[Name.before],
            limit: try query.int(Name.limit, in: 1...InboxPart.maxLimit)
        )
        guard surface.map(StoredSurface.isValid) ?? true else {
            throw Problem(.badRequest, "The surface's id \(StoredSurface.rule).")
        }
        guard before == nil || place != nil else { throw Problem(.badRequest, "before isn't a position in an inbox.") }
    }

    /// The view of another part of the same tab and search.
    fileprivate func part(_ part: InboxPart) -> ListView {
        var view = self
        view.before = part.after.map { "\($0.deliverAt)-\($0.id.text)" }
        view.limit = part.limit
        return view
    }

    /// The part of the inbox that the address names.
    var part: InboxPart {
        InboxPart(
            surface: surface,
            tab: tab,
            search: MessageSearch(search ?? ""),
            after: place,
            limit: limit
        )
    }

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
    init(_ page: InboxPage, view: ListView, notice: ListNotice?) {
        self.init(
            messages: page.messages,
            counts: TabCounts(
                unread: UnreadCount(page.unread.count, isExact: page.unread.isExact),
                archived: UnreadCount(page.archived.count, isExact: page.archived.isExact),
                snoozed: UnreadCount(page.snoozed.count, isExact: page.snoozed.isExact)
            ),
            settings: page.settings,
            view: view,
            next: page.next.map(view.part),
            isCut: page.isCut,
            notice: notice,
            state: page.state.text
        )
    }
}

extension DoneAction {
    /// The change, as screens name it.
    var change: MessageChange {
        switch kind {
        case .read, .allRead: .markRead
        case .unread: .markUnread
        case .archived: .archive
        case .unarchived: .unarchive
        case .snoozed: .snooze(until: after.map { Date(milliseconds: $0) } ?? .distantPast)
        case .unsnoozed: .unsnooze
        case .deleted: .delete
        case .undeleted: .undelete
        }
    }
}
