import Groundwork
package import InboxModel

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

/// The rows of a person's deliveries and of broadcasts, merged: the newest delivery first.
///
/// The rows of both begin with the date of delivery and the id, in that order.
struct MergedRows {
    private enum Source {
        case deliveries, broadcasts
    }

    private let deliveries: SQLCursor
    private let broadcasts: SQLCursor?
    private var delivery: SQLRow?
    private var broadcast: SQLRow?
    /// The source of the row that was returned last; nil before the first.
    private var last: Source?

    init(_ deliveries: SQLCursor, _ broadcasts: SQLCursor?) {
        (self.deliveries, self.broadcasts) = (deliveries, broadcasts)
    }

    /// Returns the next row, which is valid until the one after it is read. Nil at the end.
    mutating func next() throws -> SQLRow? {
        if last != .broadcasts { delivery = try deliveries.next() }
        if last != .deliveries { broadcast = try broadcasts?.next() }
        guard let delivery else {
            last = .broadcasts
            return broadcast
        }
        guard let broadcast else {
            last = .deliveries
            return delivery
        }
        let isBroadcastOlder = DeliveryPlace(row: broadcast).precedes(DeliveryPlace(row: delivery), isAscending: true)
        last = isBroadcastOlder ? .deliveries : .broadcasts
        return isBroadcastOlder ? delivery : broadcast
    }
}
