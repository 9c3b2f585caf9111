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
