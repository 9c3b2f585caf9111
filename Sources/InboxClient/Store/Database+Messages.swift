import Foundation
import Groundwork
package import GRDB
package import InboxModel
import Replica

extension Database {
    package func messages(
        _ filter: MessageFilter,
        surface: String?,
        limit: Int?,
        offset: Int
    ) throws -> [Message] {
        try StoreQuery(Query(limit: limit, offset: offset), in: filter, surface: surface).fetch(self)
    }

    package func message(id: String) throws -> Message? {
        try StoreQuery(Query(where: #Predicate { $0.id == id }), in: .active).fetch(self).first
    }

    /// Returns a message that is stored on this device, including a deleted or expired one.
    func storedMessage(id: String) throws -> Message? {
        let query = try StoreQuery(
            Query(where: #Predicate { $0.id == id }),
            .message,
            phases: MessagePhase.allCases.map(\.rawValue)
        )
        return try query.fetch(self).first
    }

    /// Returns the ids of the stored messages that have one of some statuses, in any order.
    ///
    /// - Parameter ids: The ids among which they are, or nil for all.
    func messages(_ ids: [String]? = nil, in statuses: Set<MessageStatus>) throws -> [String] {
        let query = ids.map { ids in Query<Message>(where: #Predicate { ids.contains($0.id) }) } ?? Query()
        return try StoreQuery(query, .message, phases: MessagePhase.allCases.map(\.rawValue)).fetch(self)
            .filter { statuses.contains($0.status) }.map(\.id)
    }

    /// Returns the ids of messages by a text in their additional data, of the newest message for each text. A deleted
    /// message is returned only if no other has the text.
    func ids(inAdditionalData key: String, of texts: [String]) throws -> [String: String] {
        let texts = texts.filter { !$0.isEmpty }
        var ids: [String: String] = [:]
        let possible = try idsPossibly(inAdditionalData: key, of: texts)
        guard !possible.isEmpty else { return ids }
        for filter in [MessageFilter.active, .deleted] {
            let query = Query(
                where: #Predicate<Message> {
                    possible.contains($0.id) && texts.contains($0.additionalData[key, default: ""])
                }
            )
            for message in try StoreQuery(query, in: filter).fetch(self) {
                if let text = message.additionalData[key], ids[text] == nil { ids[text] = message.id }
            }
        }
        return ids
    }

    /// Returns the ids of the messages on this device that may have one of some texts in their additional data, in any
    /// order. SQLite compares bytes: a text that isn't ASCII alone, and so may be equal to one of other bytes, is left
    /// to a comparison in memory.
    ///
    /// No index serves this: SQLite reads the JSON of each message, and none is decoded.
    func idsPossibly(inAdditionalData key: String, of texts: [String]) throws -> [String] {
        guard !texts.isEmpty else { return [] }
        let list = JSON(texts).description
        return try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT id FROM (
                        SELECT \(RecordTable.id) AS id, CAST(\(RecordTable.json) AS TEXT) AS text
                        FROM "\(RecordType.message.table)"
                    )
                    WHERE CASE WHEN json_valid(text) THEN
                        json_extract(text, ?1) IN (SELECT value FROM json_each(?2))
                        OR json_extract(text, ?1) GLOB '*[^ -~]*'
                    END
                    """
            ),
            arguments: ["$.\(MessageField.additionalData.rawValue).\"\(key)\"", list]
        )
    }

    package func messageCounts(surface: String?) throws -> MessageCounts {
        MessageCounts(try counts(.message), surface: surface)
    }

    /// Returns the number of messages of a filter that this device holds.
    package func countOnDevice(_ filter: MessageFilter) throws -> Int { try StoreQuery(in: filter).countOnDevice(self) }
}

extension InboxSnapshots.Details {
    init(_ db: Database, _ surface: String?) throws {
        self.init(
            counts: try db.messageCounts(surface: surface),
            pendingWrites: try db.pendingCount(RecordType.inbox),
            hasSynced: try db.syncPosition(.message)?.hasSynced ?? false
        )
    }
}

extension MessageCounts {
    /// Sums up the buckets of a surface and a category. Nil for all.
    init(_ counts: RecordCounts, surface: String? = nil, category: String? = nil) {
        self.init(isExact: counts.isExact)
        let (surface, category) = (surface?.normalized, category?.normalized)
        for bucket in counts.buckets {
            guard surface.map({ $0 == bucket.values[0] }) ?? true, category.map({ $0 == bucket.values[1] }) ?? true
            else { continue }
            total += bucket.numbers[0]
            unread += bucket.numbers[1]
            unseen += bucket.numbers[2]
            snoozed += bucket.numbers[3]
            archived += bucket.numbers[4]
        }
    }
}
