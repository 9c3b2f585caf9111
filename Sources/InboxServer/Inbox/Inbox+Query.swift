import GRDB

extension Inbox {
    /// The ids that pass a filter, by delivery date, ties by id in the same direction.
    ///
    /// Costs what it gives, not what the inbox holds: the deliveries and the broadcasts come each in order from an index, as
    /// many as can be needed, and are merged.
    func ids(filter: InboxFilter, isAscending: Bool, offset: Int, limit: Int) throws -> [MessageID] {
        guard limit > 0 else { return [] }
        let (needed, overflow) = offset.addingReportingOverflow(limit)
        let direction = isAscending ? "ASC" : "DESC"
        var arguments = StatementArguments()
        let deliveries = deliverySQL(filter, selecting: "d.message AS id, d.deliverAt AS deliverAt", &arguments)
        arguments += [overflow ? Int.max : needed]
        let broadcasts = broadcastSQL(filter, selecting: "m.id AS id, m.deliverAt AS deliverAt", &arguments)
        arguments += [overflow ? Int.max : needed, limit, offset]
        return try Int.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM (
                        SELECT * FROM (\(deliveries) ORDER BY d.deliverAt \(direction), d.message \(direction) LIMIT ?)
                        UNION ALL
                        SELECT * FROM (\(broadcasts) ORDER BY m.deliverAt \(direction), m.id \(direction) LIMIT ?)
                    ) ORDER BY deliverAt \(direction), id \(direction) LIMIT ? OFFSET ?
                    """
            ),
            arguments: arguments
        ).map(MessageID.init(rawValue:))
    }

    /// How many messages pass a filter.
    func count(filter: InboxFilter) throws -> Int {
        var arguments = StatementArguments()
        let deliveries = deliverySQL(filter, selecting: "count(*)", &arguments)
        let broadcasts = broadcastSQL(filter, selecting: "count(*)", &arguments)
        return try db.value("SELECT (\(deliveries)) + (\(broadcasts))", arguments) ?? 0
    }

    private func deliverySQL(
        _ filter: InboxFilter,
        selecting columns: String,
        _ arguments: inout StatementArguments
    ) -> String {
        arguments += [person.id]
        return """
            SELECT \(columns) FROM delivery d INDEXED BY delivery_order
            \(filter.needsMessage ? "CROSS JOIN message m ON m.id = d.message" : "")
            WHERE d.person = ? AND d.state = 1\(filter.deliverySQL(&arguments))
            """
    }

    private func broadcastSQL(
        _ filter: InboxFilter,
        selecting columns: String,
        _ arguments: inout StatementArguments
    ) -> String {
        arguments += [person.id]
        return """
            SELECT \(columns) FROM message m INDEXED BY message_broadcast
            WHERE m.recipients IS NULL AND m.state = 1
                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?)\
            \(filter.broadcastSQL(&arguments))
            """
    }
}
