import GRDB

/// What changed in the results of a query since a state (RFC 8620 §5.6).
package struct InboxQueryChanges: Sendable {
    package struct Added: Sendable {
        package let id: MessageID
        /// Counted from 0 in the results as they are now.
        package let index: Int
    }

    package var removed: [MessageID] = []
    /// In the order of their indexes.
    package var added: [Added] = []

    package var count: Int { removed.count + added.count }
}

extension PersonInbox {
    /// What a client has to take out of the results that it has of a query by delivery, and to put in, to have those of
    /// now.
    ///
    /// Each change of a record is known, whatever it changed: a record that could have moved in or out is taken out,
    /// and put in where it passes the filter now. Only where the filter looks at nothing that can change, those that
    /// were updated are where they were.
    ///
    /// - Parameters:
    ///   - changes: All that changed in the inbox since the client's state.
    ///   - upTo: The last message that the client holds, where it holds only the start of the results. What comes after
    ///     it is left out, where nothing can have moved.
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
            let gone = try placesOfGone(result.removed)
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

    /// Where messages stood that are gone.
    private func placesOfGone(_ ids: [MessageID]) throws -> [MessageID: DeliveryPlace] {
        var places: [MessageID: DeliveryPlace] = [:]
        for id in ids {
            let deliverAt: Int? = try db.value("SELECT deliverAt FROM message WHERE id = ?", [id.rawValue])
            places[id] = deliverAt.map { DeliveryPlace(deliverAt: $0, id: id) }
        }
        return places
    }
}
