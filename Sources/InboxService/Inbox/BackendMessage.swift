package import Foundation
package import Groundwork
import InboxModel

/// A message of a person's inbox as the app's backend sees it.
package struct BackendMessage: Sendable {
    let place: DeliveryPlace
    let expiresAt: Int?
    let isForEveryone: Bool
    /// The person's dates that the backend may see. A date that was set without consent is null.
    let dates: PersonalDates
    /// The sender's content, a JSON object.
    let content: String

    package var json: JSON {
        get throws {
            var object = JSONObject([(MessageField.id.rawValue, .string(place.id.text))])
            for member in try JSON(parsing: Array(content.utf8)).objectValue?.members ?? [] {
                object.add(member.name, member.value)
            }
            object.add(MessageField.deliverAt.rawValue, JSON(Date(milliseconds: place.deliverAt)))
            if let expiresAt { object.add(MessageField.expiresAt.rawValue, JSON(Date(milliseconds: expiresAt))) }
            object.add("audience", isForEveryone ? "everyone" : "people")
            for field in MessageField.personal {
                object.add(field.rawValue, dates[field].map { JSON(Date(milliseconds: $0)) } ?? .null)
            }
            return .object(object)
        }
    }
}

extension BackendMessage {
    /// A filter over the messages of an inbox. It is evaluated with the dates that the backend may see. Withheld dates
    /// count as not set, so that no list reveals them.
    package enum Filter: String, CaseIterable, Sendable {
        /// Neither archived nor snoozed nor deleted.
        case inbox
        /// In the inbox and not read.
        case unread
        case archived
        case snoozed
        case deleted

        func includes(_ dates: PersonalDates, now: Int) -> Bool {
            let filter: Filter =
                if dates[.deletedAt] != nil {
                    .deleted
                } else if dates[.archivedAt] != nil {
                    .archived
                } else if dates[.snoozedUntil].map({ $0 > now }) ?? false {
                    .snoozed
                } else {
                    .inbox
                }
            return self == .unread ? filter == .inbox && dates[.readAt] == nil : filter == self
        }
    }
}

extension PersonInbox {
    private static let contentColumns = "m.recipients IS NULL, d.withheld, m.content"

    /// Returns a page of the inbox's messages that pass a filter, newest delivery first.
    ///
    /// Deliveries and broadcasts are each read in order from an index and merged until the page is full. Content is
    /// parsed only for messages that pass the filter.
    ///
    /// - Parameter filter: The filter, or nil for all messages of the inbox, including archived and deleted ones.
    package func backendMessages(_ filter: BackendMessage.Filter?, page: Page<MessageID>, now: Date) throws -> SizedPage
    {
        let end = try end(of: page)
        let deliveries = try db.cursor(
            """
            SELECT d.deliverAt, d.message, m.expiresAt,
                d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt, \(Self.contentColumns)
            FROM \(SQLText.deliveries(by: "delivery_order"))
            WHERE d.person = ? AND d.state = 1 AND (d.deliverAt, d.message) < (?, ?)
            ORDER BY d.deliverAt DESC, d.message DESC
            """,
            [person.id, end.deliverAt, end.id.rawValue]
        )
        let broadcasts = try db.cursor(
            """
            SELECT m.deliverAt, m.id, m.expiresAt, NULL, NULL, NULL, NULL, NULL, true, NULL, m.content
            FROM \(SQLText.broadcast) m INDEXED BY message_broadcast
            WHERE \(Self.broadcastCondition(for: "?1")) AND m.state = 1
                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?1)
                AND (m.deliverAt, m.id) < (?2, ?3)
            ORDER BY m.deliverAt DESC, m.id DESC
            """,
            [person.id, end.deliverAt, end.id.rawValue]
        )
        var rows = MergedRows(deliveries, broadcasts)
        var list = SizedPage(limit: page.limit)
        while let row = try rows.next() {
            if try !add(row, to: &list, filter, now: now) { break }
        }
        return list
    }

    /// Appends the message to the page if it passes the filter.
    ///
    /// - Returns: Whether the page has room for more.
    private func add(_ row: SQLRow, to list: inout SizedPage, _ filter: BackendMessage.Filter?, now: Date) throws
        -> Bool
    {
        let withheld = WithheldDates(rawValue: (row[9] as Int?) ?? 0)
        let dates = withheld.datesForBackend(PersonalDates(row: row, from: 3))
        guard filter?.includes(dates, now: now.milliseconds) ?? true else { return true }
        let message = BackendMessage(
            place: DeliveryPlace(row: row),
            expiresAt: row[2],
            isForEveryone: row[8],
            dates: dates,
            content: row[10]
        )
        return list.add(try message.json, size: message.content.utf8.count, cursor: message.place.id.text)
    }

    /// Returns a message, or nil if this inbox doesn't show it.
    package func backendMessage(_ id: MessageID) throws -> BackendMessage? {
        guard let message = try message(id),
            let row = try db.row(
                """
                SELECT \(Self.contentColumns) FROM \(SQLText.messages(of: "?1")) WHERE m.id = ?2
                """,
                [person.id, id.rawValue]
            )
        else { return nil }
        return BackendMessage(
            place: DeliveryPlace(deliverAt: message.deliverAt, id: id),
            expiresAt: message.expiresAt,
            isForEveryone: row[0],
            dates: WithheldDates(rawValue: (row[1] as Int?) ?? 0).datesForBackend(message.personal),
            content: row[2]
        )
    }

    /// Returns the exclusive upper bound of a page.
    private func end(of page: Page<MessageID>) throws -> DeliveryPlace {
        guard let after = page.after else { return DeliveryPlace(deliverAt: Int.max, id: MessageID(rawValue: Int.max)) }
        // The row of a recalled or erased message still has its delivery date.
        let sql: SQLText = "SELECT m.deliverAt FROM \(SQLText.messages) WHERE m.id = ?"
        let deliverAt: Int? = try db.value(sql, [after.rawValue])
        return DeliveryPlace(deliverAt: deliverAt ?? after.time, id: after)
    }
}
