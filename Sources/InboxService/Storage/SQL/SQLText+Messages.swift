/// The messages that are read for a person.
///
/// Where only one person's rows are read, PostgreSQL refuses `message` itself. Statements read views of it instead,
/// which have the messages of that person's deliveries, and those to everyone (`PostgresSchema.views`). The planner
/// sees through a view, so the plans are those of the tables.
///
/// A view has the columns of a delivery and those of its message in one row. So that statements are the same for all,
/// `d` is the view, and `m` names its columns of the message.
extension SQLText {
    /// The columns of `message` that are read for a person.
    static let messageColumns = [
        "id", "content", "surface", "category", "groupKey", "deliverAt", "expiresAt", "recipients", "state",
        "broadcastCreated", "broadcastSequence", "lastPerson",
    ]

    /// The name that a column of `message` has in a view, where those of the delivery have their own names.
    static func viewColumn(_ column: String) -> String {
        switch column {
        case "deliverAt": "sentAt"
        case "state": "stage"
        default: column
        }
    }

    /// The columns of a view that are the message's, with their names in `message`.
    private static let messageOfView = messageColumns.map { column in
        viewColumn(column) == column ? "d.\(column)" : "d.\(viewColumn(column)) AS \(column)"
    }.joined(separator: ", ")

    /// Deliveries with their messages, in statements that require a `d.person`. Other rows of the view have none.
    private static let received = "inboxMessage d CROSS JOIN LATERAL (SELECT \(messageOfView)) m"

    /// The table `message`, for statements that require `recipients IS NULL`, which a message to everyone has.
    static let broadcast = SQLText(sqlite: "message", postgres: "message", personal: "broadcastMessage")

    /// Messages `m`, of any id that the person may see.
    static let messages = SQLText(
        sqlite: "message m",
        postgres: "message m",
        personal: "(SELECT \(messageOfView) FROM inboxMessage d) m"
    )

    /// Messages `m`, each with its delivery `d` to a person, if there is one.
    ///
    /// - Parameters:
    ///   - person: The parameter of the person's number, such as `?1`.
    ///   - isPartitioned: Whether the person's partition is named, as by ``deliveryOfPerson``.
    static func messages(of person: String, isPartitioned: Bool = false) -> SQLText {
        let mark = isPartitioned ? partitionMark : ""
        return SQLText(
            sqlite: "message m LEFT JOIN delivery d ON d.message = m.id AND d.person = \(person)",
            postgres: "message m LEFT JOIN delivery\(mark) d ON d.message = m.id AND d.person = \(person)",
            personal: "inboxMessage\(mark) d JOIN LATERAL (SELECT \(messageOfView)) m "
                + "ON coalesce(d.person, \(person)) = \(person)"
        )
    }

    /// Deliveries `d` with their messages `m`, for statements that require `d.person`.
    ///
    /// - Parameter index: The index of `delivery` that SQLite uses.
    static func deliveries(by index: String) -> SQLText {
        let tables = "delivery d INDEXED BY \(index) CROSS JOIN message m ON m.id = d.message"
        return SQLText(sqlite: tables, postgres: tables, personal: received)
    }

    /// Deliveries `d` of requested ids to a person, with their messages `m`, after `CROSS JOIN`.
    ///
    /// - Parameter person: The parameter of the person's number.
    static func requestedDeliveries(of person: String) -> SQLText {
        let condition = "d.message = requested.value AND d.person = \(person)"
        let tables = "delivery d ON \(condition) CROSS JOIN message m ON m.id = d.message"
        return SQLText(sqlite: tables, postgres: tables, personal: "(\(received)) ON \(condition)")
    }

    /// Deliveries with what is read of their messages, for reads of one person on PostgreSQL that require `d.person`.
    static let messagesOfPerson = SQLText(sqlite: "inboxMessage", postgres: "inboxMessage\(partitionMark)")
}
