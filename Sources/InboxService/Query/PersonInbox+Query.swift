extension PersonInbox {
    /// Returns the ids of messages that pass a filter, in a sort order.
    ///
    /// - Parameter isFetched: Whether ``forEachMessage(of:_:)`` is called with the ids next. PostgreSQL then reads the
    ///   messages of a short list in the same round trip.
    package func ids(
        filter: InboxFilter,
        sort: InboxSort,
        offset: Int,
        limit: Int,
        isFetched: Bool = false
    ) throws -> [MessageID] {
        if let isAscending = sort.deliveryIsAscending {
            return try ids(
                filter: filter,
                isAscending: isAscending,
                offset: offset,
                limit: limit,
                isFetched: isFetched
            )
        }
        var arguments = SQLArguments()
        let needsMessage = filter.needsMessage || sort.needsMessage
        var columns: SQLText = "d.message AS id\(sort.columns(from: .deliveries, &arguments))"
        let deliveries = deliverySQL(filter, selecting: columns, needsMessage: needsMessage, &arguments)
        columns = "m.id AS id\(sort.columns(from: .broadcasts, &arguments))"
        let broadcasts = broadcastSQL(filter, selecting: columns, &arguments)
        // Sorted here, since the databases don't know the collations.
        let ids = try sort.sortedIDs(of: db.cursor("\(deliveries) UNION ALL \(broadcasts)", arguments, isRare: true))
        return Array(ids.dropFirst(offset).prefix(limit))
    }

    /// Returns the ids of messages that pass a filter, by delivery date, then by id in the same direction.
    ///
    /// The cost depends on the offset and limit, not on the size of the inbox: deliveries and broadcasts are each read
    /// in order from an index, up to `offset + limit`, and merged.
    ///
    /// - Parameter isFetched: As in ``ids(filter:sort:offset:limit:isFetched:)``.
    package func ids(
        filter: InboxFilter,
        isAscending: Bool,
        offset: Int,
        limit: Int,
        isFetched: Bool = false
    ) throws -> [MessageID] {
        guard limit > 0 else { return [] }
        #if PostgreSQL
            if case .postgres = db, isFetched, max(offset, limit) <= Self.fetchLimit, filter.isCommon,
                reading.keepsMessages
            {
                return try fetchedIDs(filter: filter, isAscending: isAscending, offset: offset, limit: limit)
            }
        #endif
        var arguments = SQLArguments()
        let listed = listedSQL(filter, isAscending: isAscending, offset: offset, limit: limit, &arguments)
        return try db.values("SELECT id FROM \(listed)", arguments, isRare: !filter.isCommon)
            .map(MessageID.init(rawValue:))
    }

    /// The maximum number of deliveries that are read with their messages.
    private static let newestLimit = 200

    /// Returns the table expression of the ids and dates of delivery of messages that pass a filter, with its order.
    ///
    /// - Parameters:
    ///   - further: Further columns, such as the person's dates.
    ///   - newest: What up to ``newestLimit`` deliveries are read from, with their messages. Nil for the table.
    private func listedSQL(
        _ filter: InboxFilter,
        isAscending: Bool,
        offset: Int,
        limit: Int,
        further: (own: SQLText, others: SQLText) = ("", ""),
        newest: SQLText? = nil,
        _ arguments: inout SQLArguments
    ) -> SQLText {
        let (needed, overflow) = offset.addingReportingOverflow(limit)
        let direction = isAscending ? "ASC" : "DESC"
        // Nearly each device requests the newest messages that weren't deleted.
        let table = filter.isNotDeleted && !isAscending ? SQLText.deliveryOfPerson : "delivery"
        var columns: SQLText = "d.message AS id, d.deliverAt AS deliverAt\(further.own)"
        var deliveries = deliverySQL(filter, selecting: columns, in: newest ?? table, &arguments)
        deliveries = "\(deliveries) ORDER BY d.deliverAt \(direction), d.message \(direction)"
        if newest != nil {
            // With a limit that is known, the planner keeps its plan for all arguments.
            deliveries = """
                SELECT * FROM (\(deliveries) LIMIT \(Self.newestLimit)) AS newest
                ORDER BY deliverAt \(direction), id \(direction)
                """
        }
        arguments += [overflow ? Int.max : needed]
        columns = "m.id AS id, m.deliverAt AS deliverAt\(further.others)"
        let broadcasts = broadcastSQL(filter, selecting: columns, in: table, &arguments)
        arguments += [overflow ? Int.max : needed, limit, offset]
        return """
            (
                SELECT * FROM (\(deliveries) LIMIT ?) AS own
                UNION ALL
                SELECT * FROM (\(broadcasts) ORDER BY m.deliverAt \(direction), m.id \(direction) LIMIT ?) AS others
            ) AS listed ORDER BY deliverAt \(direction), id \(direction) LIMIT ? OFFSET ?
            """
    }

    /// Returns the number of messages that pass a filter.
    package func count(filter: InboxFilter) throws -> Int {
        var arguments = SQLArguments()
        let deliveries = deliverySQL(filter, selecting: "count(*)", &arguments)
        let broadcasts = broadcastSQL(filter, selecting: "count(*)", &arguments)
        let sql: SQLText = "SELECT (\(deliveries)) + (\(broadcasts))"
        return try db.value(sql, arguments, isRare: !filter.isCommon) ?? 0
    }

    /// Returns the number of messages that pass a filter and precede a place in the order by delivery.
    func count(filter: InboxFilter, before place: DeliveryPlace, isAscending: Bool) throws -> Int {
        let sign = isAscending ? "<" : ">"
        var arguments = SQLArguments()
        let deliveries = deliverySQL(filter, selecting: "count(*)", &arguments)
        arguments += [place.deliverAt, place.id.rawValue]
        let broadcasts = broadcastSQL(filter, selecting: "count(*)", &arguments)
        arguments += [place.deliverAt, place.id.rawValue]
        let sql: SQLText = """
            SELECT (\(deliveries) AND (d.deliverAt, d.message) \(sign) (?, ?))
                + (\(broadcasts) AND (m.deliverAt, m.id) \(sign) (?, ?))
            """
        return try db.value(sql, arguments, isRare: !filter.isCommon) ?? 0
    }

    /// Returns the places of those of the given messages that this inbox shows and that pass a filter, unordered.
    func places(of ids: [MessageID], filter: InboxFilter) throws -> [DeliveryPlace] {
        let requested = ids.map(\.rawValue)
        var arguments: SQLArguments = [requested, person.id]
        let deliveryFilter = filter.sql(from: .deliveries, &arguments)
        arguments += [requested, person.id, person.id]
        let broadcastFilter = filter.sql(from: .broadcasts, &arguments)
        let list = SQLText(sqlite: "json_each(?) requested", postgres: "unnest(?) AS requested (value)")
        let sql: SQLText = """
            SELECT d.deliverAt, d.message FROM \(list) CROSS JOIN \(SQLText.requestedDeliveries(of: "?"))
            WHERE d.state = 1\(deliveryFilter)
            UNION ALL
            SELECT m.deliverAt, m.id FROM \(list) CROSS JOIN \(SQLText.broadcast) m ON m.id = requested.value
            WHERE \(Self.broadcastCondition(for: "?")) AND m.state = 1
                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?)\(broadcastFilter)
            """
        return try db.rows(sql, arguments, isRare: !filter.isCommon)
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

    private func deliverySQL(
        _ filter: InboxFilter,
        selecting columns: SQLText,
        in table: SQLText = "delivery",
        needsMessage: Bool? = nil,
        _ arguments: inout SQLArguments
    ) -> SQLText {
        arguments += [person.id]
        let isJoined = needsMessage ?? filter.needsMessage
        let deliveries: SQLText =
            isJoined ? .deliveries(by: "delivery_order") : "\(table) d INDEXED BY delivery_order"
        return """
            SELECT \(columns) FROM \(deliveries)
            WHERE d.person = ? AND d.state = 1\(filter.sql(from: .deliveries, &arguments))
            """
    }

    private func broadcastSQL(
        _ filter: InboxFilter,
        selecting columns: SQLText,
        in table: SQLText = "delivery",
        _ arguments: inout SQLArguments
    ) -> SQLText {
        arguments += [person.id, person.id]
        return """
            SELECT \(columns) FROM \(SQLText.broadcast) m INDEXED BY message_broadcast
            WHERE \(Self.broadcastCondition(for: "?")) AND m.state = 1
                AND NOT EXISTS (SELECT 1 FROM \(table) d WHERE d.message = m.id AND d.person = ?)\
            \(filter.sql(from: .broadcasts, &arguments))
            """
    }
}

#if PostgreSQL
    extension PersonInbox {
        /// The maximum number of ids whose messages are read with them, and of those before them.
        private static let fetchLimit = newestLimit / 2

        private static let dates: (own: SQLText, others: SQLText) = (
            ", d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt",
            ", NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint"
        )
        private static let newestMessages: (own: SQLText, others: SQLText) = (
            "\(dates.own), d.sentAt, d.expiresAt, CASE WHEN d.stage = 1 THEN d.content END AS content",
            "\(dates.others), m.deliverAt AS sentAt, m.expiresAt, m.content"
        )
        private static let newestColumns: SQLText =
            "d.id, d.sentAt, d.expiresAt, d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt"

        /// Returns ids as ``ids(filter:isAscending:offset:limit:isFetched:)`` does, and keeps their messages. Those of
        /// large contents are read when they are requested.
        private func fetchedIDs(
            filter: InboxFilter,
            isAscending: Bool,
            offset: Int,
            limit: Int
        ) throws -> [MessageID] {
            var arguments: SQLArguments = [Self.partSize]
            // Joined with the messages after the limit, whose rows alone are read then. Where only one person's are, a
            // view has the messages, and nearly each device's list reads no more of it.
            let isNewest = db.isPersonal && filter.isNotDeleted && !isAscending
            let listed = listedSQL(
                filter,
                isAscending: isAscending,
                offset: offset,
                limit: limit,
                further: isNewest ? Self.newestMessages : Self.dates,
                newest: isNewest ? .messagesOfPerson : nil,
                &arguments
            )
            let (columns, content) = isNewest ? (Self.newestColumns, "d.content") : (InboxMessage.columns, "m.content")
            let messages: SQLText = isNewest ? "" : " LEFT JOIN \(SQLText.messages) ON m.id = d.id AND m.state = 1"
            let order: SQLText = isAscending ? "d.deliverAt, d.id" : "d.deliverAt DESC, d.id DESC"
            let sql: SQLText = """
                SELECT \(columns), d.id,
                    CASE WHEN coalesce(sum(octet_length(\(content))) OVER earlier, 0) < ? THEN \(content) END
                FROM (SELECT * FROM \(listed)) AS d\(messages)
                WINDOW earlier AS (ORDER BY \(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                ORDER BY \(order)
                """
            let column = InboxMessage.columnCount
            var kept: [(id: MessageID, row: SQLRow)] = []
            kept.reserveCapacity(limit)
            let ids = try db.rows(sql, arguments).map { row in
                let id = MessageID(rawValue: row[column])
                let hasContent = try row.withBytes(column + 1) { !$0.isEmpty }
                if hasContent { kept.append((id, row)) }
                return id
            }
            reading.keep(kept, of: person)
            return ids
        }
    }
#endif
