package import Foundation
import Groundwork
package import InboxModel

/// A part of a tab's messages, newest first.
package struct Listing: Sendable {
    package var messages: [Message] = []
    /// The place at which the reading stopped because as many messages were examined as a page may, or nil if it
    /// didn't.
    package var end: DeliveryPlace?
}

extension InboxTab {
    /// The condition on a person's row `d` for a message to be in the tab at `?3`.
    fileprivate var condition: String {
        switch self {
        case .inbox: "\(PersonInbox.listedCondition) AND (d.snoozedUntil IS NULL OR d.snoozedUntil <= ?3)"
        case .unread: "\(Self.inbox.condition) AND d.readAt IS NULL"
        // These have the conditions of their indexes.
        case .archived: "d.state = 1 AND d.deletedAt IS NULL AND d.archivedAt IS NOT NULL"
        case .snoozed: "\(PersonInbox.listedCondition) AND d.snoozedUntil IS NOT NULL AND d.snoozedUntil > ?3"
        }
    }

    /// The index with the order of delivery.
    fileprivate var index: String {
        switch self {
        case .inbox, .unread: "delivery_order"
        case .archived: "delivery_archived"
        case .snoozed: "delivery_snoozed"
        }
    }

    /// Whether it has broadcasts on which the person hasn't acted.
    fileprivate var hasUntouched: Bool { self == .inbox || self == .unread }
}

extension PersonInbox {
    /// The condition on a person's row `d` for a message to be listed, apart from snoozes. A message without a row is
    /// listed.
    fileprivate static let listedCondition = "d.state = 1 AND d.deletedAt IS NULL AND d.archivedAt IS NULL"

    /// The maximum number of messages in which a page looks for words.
    static let searchedLimit = 2_000
    /// The maximum number of messages among which a page looks for unread ones.
    static let examinedLimit = 10_000

    /// Returns the messages of a surface that are in a tab, newest first, as a list shows them.
    ///
    /// The cost depends on the number of results, not on the size of the inbox: messages with a row of the person's and
    /// broadcasts without one are each read in order from an index and merged. A search, and the tab of unread
    /// messages, examine a limited number of messages.
    package func listed(
        in tab: InboxTab,
        on surface: String,
        with search: MessageSearch = MessageSearch(""),
        after place: DeliveryPlace?,
        limit: Int,
        now: Date
    ) throws -> Listing {
        // Without a place, the list begins at the newest message.
        let place = place ?? DeliveryPlace(deliverAt: Int.max, id: MessageID(rawValue: Int.max))
        let floor = tab == .unread ? try self.place(Self.examinedLimit, after: place) : nil
        let lowest = floor ?? DeliveryPlace(deliverAt: Int.min, id: MessageID(rawValue: Int.min))
        // With a search, it isn't known how many rows are needed.
        let rows = search.isEmpty ? limit : Self.searchedLimit
        let deliveries = try db.cursor(
            """
            SELECT d.deliverAt, d.message, d.readAt, d.archivedAt, d.snoozedUntil, m.content
            FROM delivery d INDEXED BY \(tab.index) CROSS JOIN message m ON m.id = d.message
            WHERE d.person = ?1 AND m.surface = ?2 AND \(tab.condition)
                AND (d.deliverAt, d.message) < (?4, ?5) AND (d.deliverAt, d.message) >= (?6, ?7)
            ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?8
            """,
            [
                person.id, surface, now.milliseconds, place.deliverAt, place.id.rawValue, lowest.deliverAt,
                lowest.id.rawValue, rows,
            ]
        )
        let broadcasts =
            !tab.hasUntouched
            ? nil
            : try db.cursor(
                """
                SELECT m.deliverAt, m.id, NULL, NULL, NULL, m.content
                FROM message m INDEXED BY message_broadcast
                WHERE \(Self.broadcastCondition(for: "?1")) AND m.state = 1 AND m.surface = ?2
                    AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?1)
                    AND (m.deliverAt, m.id) < (?3, ?4) AND (m.deliverAt, m.id) >= (?5, ?6)
                ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?7
                """,
                [
                    person.id, surface, place.deliverAt, place.id.rawValue, lowest.deliverAt, lowest.id.rawValue, rows,
                ]
            )
        var own = try deliveries.next()
        var other = try broadcasts?.next()
        var listing = Listing(end: floor)
        listing.messages.reserveCapacity(search.isEmpty ? limit : 16)
        var examined = 0
        while listing.messages.count < limit {
            let isOwnNext = other.map { other in
                own.map { DeliveryPlace(row: other).precedes(DeliveryPlace(row: $0), isAscending: true) } ?? false
            }
            guard let row = isOwnNext ?? true ? own : other else { break }
            let message = try Message(listed: row)
            if search.matches(message) { listing.messages.append(message) }
            examined += 1
            if !search.isEmpty, examined == Self.searchedLimit {
                listing.end = DeliveryPlace(row: row)
                break
            }
            if isOwnNext ?? true { own = try deliveries.next() } else { other = try broadcasts?.next() }
        }
        return listing
    }

    /// Returns the place of the message that has a number among the person's after a place, newest first, or nil if
    /// there are fewer. It reads an index alone.
    private func place(_ number: Int, after place: DeliveryPlace) throws -> DeliveryPlace? {
        try db.row(
            """
            SELECT d.deliverAt, d.message FROM delivery d INDEXED BY delivery_order
            WHERE d.person = ? AND d.state = 1 AND (d.deliverAt, d.message) < (?, ?)
            ORDER BY d.deliverAt DESC, d.message DESC LIMIT 1 OFFSET ?
            """,
            [person.id, place.deliverAt, place.id.rawValue, number - 1]
        ).map(DeliveryPlace.init(row:))
    }

    /// Counts the messages of a surface's tabs, each among the newest ones.
    func tabs(on surface: String, now: Date) throws -> CountedTabs {
        let unread = try unread(on: surface, now: now)
        let (archived, _) = try setAside(.archived, on: surface, now: now)
        let (snoozed, next) = try setAside(.snoozed, on: surface, now: now)
        let end = min(unread.validity.upperBound, next.map { Date(milliseconds: $0) } ?? .distantFuture)
        return CountedTabs(unread: unread, archived: archived, snoozed: snoozed, validity: now..<max(now, end))
    }

    /// Counts the archived or the snoozed messages of a surface among the newest such ones.
    ///
    /// - Returns: The number, and the end of the next snooze.
    private func setAside(
        _ tab: InboxTab,
        on surface: String,
        now: Date,
        among limit: Int = 1_000
    ) throws -> (BoundedCount, next: Int?) {
        let row = try db.row(
            """
            SELECT count(*) FILTER (WHERE surface = ?2), count(*), min(snoozedUntil) FILTER (WHERE snoozedUntil > ?3)
            FROM (
                SELECT m.surface, d.snoozedUntil
                FROM delivery d INDEXED BY \(tab.index) CROSS JOIN message m ON m.id = d.message
                WHERE d.person = ?1 AND \(tab.condition)
                ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?4
            ) AS newest
            """,
            [person.id, surface, now.milliseconds, limit]
        )
        let examined: Int = row?[1] ?? 0
        return (BoundedCount(count: row?[0] ?? 0, isExact: examined < limit), row.flatMap { $0[2] })
    }

    /// Counts the unread messages among the newest ones that a surface lists.
    ///
    /// - Parameter limit: The maximum number of messages that are examined, which bounds the cost for large inboxes.
    package func unread(on surface: String, now: Date, among limit: Int = 1_000) throws -> CountedUnread {
        let row = try db.row(
            """
            SELECT count(*) FILTER (WHERE isUnread AND snoozedUntil <= ?1), count(*) FILTER (WHERE kind = 0),
                count(*) FILTER (WHERE kind = 1), min(snoozedUntil) FILTER (WHERE snoozedUntil > ?1)
            FROM (
                SELECT * FROM (
                    SELECT d.readAt IS NULL AS isUnread, coalesce(d.snoozedUntil, 0) AS snoozedUntil, 0 AS kind
                    FROM delivery d INDEXED BY delivery_order CROSS JOIN message m ON m.id = d.message
                    WHERE d.person = ?2 AND m.surface = ?3 AND \(Self.listedCondition)
                    ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?4
                ) AS own
                UNION ALL
                SELECT * FROM (
                    SELECT true AS isUnread, 0 AS snoozedUntil, 1 AS kind FROM message m INDEXED BY message_broadcast
                    WHERE \(Self.broadcastCondition(for: "?2")) AND m.state = 1 AND m.surface = ?3
                        AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?2)
                    ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?4
                ) AS others
            ) AS newest
            """,
            [now.milliseconds, person.id, surface, limit]
        )
        let (own, broadcast): (Int, Int) = row.map { ($0[1], $0[2]) } ?? (0, 0)
        let next: Int? = row.flatMap { $0[3] }
        return CountedUnread(
            count: row?[0] ?? 0,
            isExact: max(own, broadcast) < limit,
            state: try state(),
            validity: now..<(next.map { Date(milliseconds: $0) } ?? .distantFuture)
        )
    }

    /// Returns those of the given messages that this inbox shows, in the given order, including archived and deleted
    /// ones.
    package func messages(_ ids: [MessageID]) throws -> [Message] {
        var messages: [Message] = []
        try forEachMessage(of: ids) { _, message, content in
            var bytes: [UInt8] = []
            message.write(content, to: &bytes)
            messages.append(try Message(json: JSON(parsing: bytes)))
        }
        return messages
    }

    /// Returns the settings of a surface, or the defaults if none are stored.
    package func settings(of surface: String) throws -> InboxSettings {
        guard let stored = try reading.surface(surface) else { return InboxSettings() }
        return InboxSettings(lenient: try JSON(parsing: Array(stored.settings.utf8)))
    }
}

/// A number of messages among the newest ones.
package struct BoundedCount: Hashable, Sendable {
    package let count: Int
    /// Whether all messages were examined. Otherwise the number is a lower bound.
    package let isExact: Bool
}

/// The numbers of messages of a surface's tabs.
struct CountedTabs: Sendable {
    let unread: CountedUnread
    let archived: BoundedCount
    let snoozed: BoundedCount
    /// The times at which the numbers are valid. A snooze that ends makes them invalid.
    let validity: Range<Date>
}

/// The number of a surface's messages that a person hasn't read, with the state and times for which it is valid.
package struct CountedUnread: Sendable {
    package let count: Int
    /// Whether all of the surface's messages were examined.
    package let isExact: Bool
    package let state: PersonState
    /// The times at which the count is valid. A snooze that ends makes it invalid.
    package let validity: Range<Date>
}

extension Message {
    /// - Parameter row: The date of delivery, the id, the dates of reading, archiving and the snooze, and the content.
    fileprivate init(listed row: SQLRow) throws {
        let place = DeliveryPlace(row: row)
        let (readAt, archivedAt, snoozedUntil): (Int?, Int?, Int?) = (row[2], row[3], row[4])
        self = try row.withBytes(5) { content in
            Message(
                id: place.id.text,
                deliverAt: Date(milliseconds: place.deliverAt),
                readAt: readAt.map { Date(milliseconds: $0) },
                content: content
            )
        }
        self.archivedAt = archivedAt.map { Date(milliseconds: $0) }
        self.snoozedUntil = snoozedUntil.map { Date(milliseconds: $0) }
    }
}

extension DeliveryPlace {
    /// - Parameter row: A row that begins with the date of delivery and the id.
    init(row: SQLRow) {
        self.init(deliverAt: row[0], id: MessageID(rawValue: row[1]))
    }

    /// The place of a message, or nil if its id isn't one of this server.
    package init?(_ message: Message) {
        guard let id = MessageID(message.id) else { return nil }
        self.init(deliverAt: message.deliverAt.milliseconds, id: id)
    }
}
