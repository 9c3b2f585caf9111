import Foundation
import Groundwork
package import InboxModel

/// A part of a tab's messages, newest first.
struct Listing {
    var messages: [Message] = []
    /// The place at which the reading stopped because as many messages were examined as a page may, or nil if it
    /// didn't.
    var end: DeliveryPlace?
}

extension InboxTab {
    /// The condition on a person's row `d` for a message to be in the tab at `?3`.
    var condition: String {
        switch self {
        case .inbox: "\(PersonInbox.listedCondition) AND (d.snoozedUntil IS NULL OR d.snoozedUntil <= ?3)"
        case .unread: "\(Self.inbox.condition) AND d.readAt IS NULL"
        // These have the conditions of their indexes.
        case .archived: "d.state = 1 AND d.deletedAt IS NULL AND d.archivedAt IS NOT NULL"
        case .snoozed: "\(PersonInbox.listedCondition) AND d.snoozedUntil IS NOT NULL AND d.snoozedUntil > ?3"
        }
    }

    /// The index with the order of delivery.
    var index: String {
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
    static let listedCondition = "d.state = 1 AND d.deletedAt IS NULL AND d.archivedAt IS NULL"

    /// The maximum number of messages in which a page looks for words.
    static let searchedLimit = 2_000
    /// The maximum number of messages among which a page looks for unread ones.
    static let examinedLimit = 10_000

    /// Returns the messages of a part of the inbox, newest first, as a list shows them.
    ///
    /// The cost depends on the number of results, not on the size of the inbox: messages with a row of the person's and
    /// broadcasts without one are each read in order from an index and merged. A search, and the tab of unread
    /// messages, examine a limited number of messages.
    ///
    /// - Parameters:
    ///   - surface: The surface of the part, in normal form.
    ///   - limit: The maximum number of messages.
    func listed(_ part: InboxPart, on surface: String, limit: Int, now: Date) throws -> Listing {
        let (tab, search) = (part.tab, part.search)
        // Without a place, the list begins at the newest message.
        let place = part.after ?? DeliveryPlace(deliverAt: Int.max, id: MessageID(rawValue: Int.max))
        let floor = tab == .unread ? try self.place(Self.examinedLimit, after: place) : nil
        let lowest = floor ?? DeliveryPlace(deliverAt: Int.min, id: MessageID(rawValue: Int.min))
        // With a search, it isn't known how many rows are needed.
        let rowLimit = search.isEmpty ? limit : Self.searchedLimit
        let deliveries = try db.cursor(
            """
            SELECT d.deliverAt, d.message, d.readAt, d.archivedAt, d.snoozedUntil, m.content
            FROM \(SQLText.deliveries(by: tab.index))
            WHERE d.person = ?1 AND m.surface = ?2 AND \(tab.condition)
                AND (d.deliverAt, d.message) < (?4, ?5) AND (d.deliverAt, d.message) >= (?6, ?7)
            ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?8
            """,
            [
                person.id, surface, now.milliseconds, place.deliverAt, place.id.rawValue, lowest.deliverAt,
                lowest.id.rawValue, rowLimit,
            ]
        )
        let broadcasts =
            !tab.hasUntouched
            ? nil
            : try db.cursor(
                """
                SELECT m.deliverAt, m.id, NULL, NULL, NULL, m.content
                FROM \(SQLText.broadcast) m INDEXED BY message_broadcast
                WHERE \(Self.broadcastCondition(for: "?1")) AND m.state = 1 AND m.surface = ?2
                    AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?1)
                    AND (m.deliverAt, m.id) < (?3, ?4) AND (m.deliverAt, m.id) >= (?5, ?6)
                ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?7
                """,
                [
                    person.id, surface, place.deliverAt, place.id.rawValue, lowest.deliverAt, lowest.id.rawValue,
                    rowLimit,
                ]
            )
        var rows = MergedRows(deliveries, broadcasts)
        var listing = Listing(end: floor)
        listing.messages.reserveCapacity(search.isEmpty ? limit : 16)
        var examined = 0
        while listing.messages.count < limit, let row = try rows.next() {
            let message = try Message(listed: row)
            if search.matches(message) { listing.messages.append(message) }
            examined += 1
            if !search.isEmpty, examined == Self.searchedLimit {
                listing.end = DeliveryPlace(row: row)
                break
            }
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
