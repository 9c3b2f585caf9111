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
