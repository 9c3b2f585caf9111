import GRDB

/// A message's place in the order by delivery.
package struct DeliveryPlace: Hashable, Sendable {
    package let deliverAt: Int
    package let id: MessageID

    package init(deliverAt: Int, id: MessageID) {
        self.deliverAt = deliverAt
        self.id = id
    }

    /// Returns whether it precedes another place.
    func precedes(_ other: DeliveryPlace, isAscending: Bool) -> Bool {
        let (first, second) = isAscending ? (self, other) : (other, self)
        return (first.deliverAt, first.id.rawValue) < (second.deliverAt, second.id.rawValue)
    }
}

extension PersonInbox {
    /// Returns the ids of messages that pass a filter, in a sort order.
    package func ids(filter: InboxFilter, sort: InboxSort, offset: Int, limit: Int) throws -> [MessageID] {
        if let isAscending = sort.deliveryIsAscending {
            return try ids(filter: filter, isAscending: isAscending, offset: offset, limit: limit)
        }
        var arguments = StatementArguments()
        let needsMessage = filter.needsMessage || sort.needsMessage
        var columns = "d.message AS id" + sort.columns(from: .deliveries, &arguments)
        let deliveries = deliverySQL(filter, selecting: columns, needsMessage: needsMessage, &arguments)
        columns = "m.id AS id" + sort.columns(from: .broadcasts, &arguments)
        let broadcasts = broadcastSQL(filter, selecting: columns, &arguments)
        arguments += [limit, offset]
        return try Int.fetchAll(
            db,
            sql: "SELECT id FROM (\(deliveries) UNION ALL \(broadcasts)) ORDER BY \(sort.terms) LIMIT ? OFFSET ?",
            arguments: arguments
        ).map(MessageID.init(rawValue:))
    }

    /// Returns the ids of messages that pass a filter, by delivery date, then by id in the same direction.
    ///
    /// The cost depends on the offset and limit, not on the size of the inbox: deliveries and broadcasts are each read
    /// in order from an index, up to `offset + limit`, and merged.
    package func ids(filter: InboxFilter, isAscending: Bool, offset: Int, limit: Int) throws -> [MessageID] {
        guard limit > 0 else { return [] }
        let (needed, overflow) = offset.addingReportingOverflow(limit)
        let direction = isAscending ? "ASC" : "DESC"
        var arguments = StatementArguments()
        let deliveries = deliverySQL(filter, selecting: "d.message AS id, d.deliverAt AS deliverAt", &arguments)
        arguments += [overflow ? Int.max : needed]
        let broadcasts = broadcastSQL(filter, selecting: "m.id AS id, m.deliverAt AS deliverAt", &arguments)
        arguments += [overflow ? Int.max : needed, limit, offset]
        let sql = """
            SELECT id FROM (
                SELECT * FROM (\(deliveries) ORDER BY d.deliverAt \(direction), d.message \(direction) LIMIT ?)
                UNION ALL
                SELECT * FROM (\(broadcasts) ORDER BY m.deliverAt \(direction), m.id \(direction) LIMIT ?)
            ) ORDER BY deliverAt \(direction), id \(direction) LIMIT ? OFFSET ?
            """
        return try Int.fetchAll(statement(sql, for: filter), arguments: arguments).map(MessageID.init(rawValue:))
    }

    /// Returns the number of messages that pass a filter.
    package func count(filter: InboxFilter) throws -> Int {
        var arguments = StatementArguments()
        let deliveries = deliverySQL(filter, selecting: "count(*)", &arguments)
        let broadcasts = broadcastSQL(filter, selecting: "count(*)", &arguments)
        let sql = "SELECT (\(deliveries)) + (\(broadcasts))"
        return try Int.fetchOne(statement(sql, for: filter), arguments: arguments) ?? 0
    }

    /// Returns the number of messages that pass a filter and precede a place in the order by delivery.
    func count(filter: InboxFilter, before place: DeliveryPlace, isAscending: Bool) throws -> Int {
        let sign = isAscending ? "<" : ">"
        var arguments = StatementArguments()
        let deliveries = deliverySQL(filter, selecting: "count(*)", &arguments)
        arguments += [place.deliverAt, place.id.rawValue]
        let broadcasts = broadcastSQL(filter, selecting: "count(*)", &arguments)
        arguments += [place.deliverAt, place.id.rawValue]
        let sql = """
            SELECT (\(deliveries) AND (d.deliverAt, d.message) \(sign) (?, ?))
                + (\(broadcasts) AND (m.deliverAt, m.id) \(sign) (?, ?))
            """
        return try Int.fetchOne(statement(sql, for: filter), arguments: arguments) ?? 0
    }

    /// Returns the places of those of the given messages that this inbox shows and that pass a filter, unordered.
    func places(of ids: [MessageID], filter: InboxFilter) throws -> [DeliveryPlace] {
        let requested = "[" + ids.map { String($0.rawValue) }.joined(separator: ",") + "]"
        var arguments: StatementArguments = [requested, person.id]
        let deliveryFilter = filter.sql(from: .deliveries, &arguments)
        arguments += [requested, person.id, person.id]
        let broadcastFilter = filter.sql(from: .broadcasts, &arguments)
        let sql = """
            SELECT d.deliverAt, d.message FROM json_each(?) requested
            CROSS JOIN delivery d ON d.message = requested.value AND d.person = ?
            CROSS JOIN message m ON m.id = d.message
            WHERE d.state = 1\(deliveryFilter)
            UNION ALL
            SELECT m.deliverAt, m.id FROM json_each(?) requested CROSS JOIN message m ON m.id = requested.value
            WHERE \(Self.broadcastCondition(for: "?")) AND m.state = 1
                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?)\(broadcastFilter)
            """
        return try Row.fetchAll(statement(sql, for: filter), arguments: arguments)
            .map { DeliveryPlace(deliverAt: $0[0], id: MessageID(rawValue: $0[1])) }
    }

    /// Returns the zero-based index of a message among those that pass a filter, or nil if it isn't one of them.
    package func index(of id: MessageID, filter: InboxFilter, sort: InboxSort) throws -> Int? {
        guard let isAscending = sort.deliveryIsAscending else {
            return try ids(filter: filter, sort: sort, offset: 0, limit: Int.max).firstIndex(of: id)
        }
        return try places(of: [id], filter: filter).first.map { place in
            try count(filter: filter, before: place, isAscending: isAscending)
        }
    }

    /// Returns a statement, which is cached if the filter is common. Other filters vary with clients, and their
    /// statements would fill the memory.
    private func statement(_ sql: String, for filter: InboxFilter) throws -> Statement {
        try filter.isCommon ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
    }

    private func deliverySQL(
        _ filter: InboxFilter,
        selecting columns: String,
        needsMessage: Bool? = nil,
        _ arguments: inout StatementArguments
    ) -> String {
        arguments += [person.id]
        return """
            SELECT \(columns) FROM delivery d INDEXED BY delivery_order
            \(needsMessage ?? filter.needsMessage ? "CROSS JOIN message m ON m.id = d.message" : "")
            WHERE d.person = ? AND d.state = 1\(filter.sql(from: .deliveries, &arguments))
            """
    }

    private func broadcastSQL(
        _ filter: InboxFilter,
        selecting columns: String,
        _ arguments: inout StatementArguments
    ) -> String {
        arguments += [person.id, person.id]
        return """
            SELECT \(columns) FROM message m INDEXED BY message_broadcast
            WHERE \(Self.broadcastCondition(for: "?")) AND m.state = 1
                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?)\
            \(filter.sql(from: .broadcasts, &arguments))
            """
    }
}
