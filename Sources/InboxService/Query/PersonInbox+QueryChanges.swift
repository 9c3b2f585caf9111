/// The changes in the results of a query since a state (RFC 8620 §5.6).
package struct InboxQueryChanges: Sendable {
    package struct Added: Sendable {
        package let id: MessageID
        /// The zero-based index in the current results.
        package let index: Int
    }

    package var removed: [MessageID] = []
    /// The added messages, in the order of their indexes.
    package var added: [Added] = []

    package var count: Int { removed.count + added.count }
}

extension PersonInbox {
    /// Returns the removals and insertions that update a client's results of a query sorted by delivery.
    ///
    /// Which records changed is known, but not which of their properties. So each changed record is removed, and
    /// inserted if it passes the filter now. If the filter uses immutable properties only, updated records keep their
    /// places.
    ///
    /// - Parameters:
    ///   - changes: All changes in the inbox since the client's state.
    ///   - last: The last message that the client holds, if it holds only the start of the results. Changes after it
    ///     are omitted if the filter uses immutable properties only.
    package func queryChanges(
        _ changes: InboxChanges,
        filter: InboxFilter,
        isAscending: Bool,
        upTo last: MessageID?
    ) throws -> InboxQueryChanges {
        let updated = filter.isImmutable ? [] : changes.updated
        var result = InboxQueryChanges(removed: updated + changes.destroyed)
        var entering = try places(of: changes.created + updated, filter: filter)
        if filter.isImmutable, let last, let end = try places(of: [last], filter: filter).first {
            entering.removeAll { end.precedes($0, isAscending: isAscending) }
            let gone = try placesOfDestroyed(result.removed)
            result.removed.removeAll { id in gone[id].map { end.precedes($0, isAscending: isAscending) } ?? false }
        }
        entering.sort { $0.precedes($1, isAscending: isAscending) }
        guard let deepest = entering.last else { return result }
        let depth = try count(filter: filter, before: deepest, isAscending: isAscending) + 1
        let ids = try ids(filter: filter, isAscending: isAscending, offset: 0, limit: depth)
        let entered = Set(entering.map(\.id))
        result.added = ids.enumerated().filter { entered.contains($1) }.map { .init(id: $1, index: $0) }
        return result
    }

    /// Returns the former places of destroyed messages.
    private func placesOfDestroyed(_ ids: [MessageID]) throws -> [MessageID: DeliveryPlace] {
        var places: [MessageID: DeliveryPlace] = [:]
        let sql: SQLText = "SELECT m.deliverAt FROM \(SQLText.messages) WHERE m.id = ?"
        for id in ids {
            let deliverAt: Int? = try db.value(sql, [id.rawValue])
            places[id] = deliverAt.map { DeliveryPlace(deliverAt: $0, id: id) }
        }
        return places
    }
}
