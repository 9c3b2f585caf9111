import Groundwork
import JMAP

/// Fetches of records by id.
extension SyncEngine {
    /// Fetches records by id, chunk by chunk, and applies each answer in a transaction of its own.
    ///
    /// A chunk halves if the server, the transport or the deadline rejects it.
    ///
    /// - Parameters:
    ///   - parts: The parts that requests carry besides the ids.
    ///   - progress: The number of records that are already fetched, and the total; nil to publish no progress.
    ///   - rows: Applies the records of an answer; its last argument is the requested ids.
    /// - Returns: The state of the first answer; nil if no ids were given.
    @discardableResult
    func fetch(
        _ ids: [String],
        in scope: TypeScope,
        carrying parts: SendParts = .all,
        progress: (done: Int, total: Int)? = nil,
        rows: @Sendable (StoreWriter, SyncResponse.Records, [String]) throws -> Void
    ) async throws -> String? {
        let type = scope.type
        var fetch = ChunkedFetch(ids, limit: scope.limits.maxObjectsInGet)
        var firstState: String?
        try await fetch.run { fetch, requested in
            if let progress {
                let done = min(progress.total, progress.done + ids.count - fetch.count)
                self.progress.set(SyncProgress(type: type.name, done: done, total: progress.total))
            }
            let (answer, sent) = try await exchange(in: scope, pull: .records(requested), carrying: parts)
            switch answer.pull {
            case .records(let records):
                firstState = firstState ?? records.state
                try await apply(type, answer, sent) { writer in try rows(writer, records, requested) }
                fetch.advance()
                return true
            case .tooLarge:
                try await apply(type, answer, sent) { _ in }
                return false
            default: throw SyncError.mismatchedAnswer
            }
        }
        return firstState
    }

    /// Fetches records that aren't on the device.
    ///
    /// - Parameters:
    ///   - progress: The number of records that are already fetched, and the total.
    ///   - state: The state from which changes are requested next. Records of another state may already have been
    ///     removed without a change that reports it. They are confirmed later.
    ///   - isRequested: Whether a query or the app requested the records, so that they stay for a while in addition to
    ///     the window.
    func fetchMissing(
        _ ids: [String],
        in scope: TypeScope,
        progress: (done: Int, total: Int),
        since state: String,
        carrying parts: SendParts,
        isRequested: Bool = false
    ) async throws {
        let type = scope.type
        try await fetch(ids, in: scope, carrying: parts, progress: progress) { writer, records, requested in
            try writer.apply(type, records.list)
            try writer.remove(type, records.removedIDs)
            if records.state != state { try writer.markUnconfirmed(type, records.list) }
            if isRequested { try writer.markRequested(type, requested) }
        }
    }

    /// Fetches again the records whose version no changes have confirmed: those that were newer than the state when
    /// they were fetched, and provisional ones.
    ///
    /// A provisional record may have been read or deleted on another device before this device's state. One that the
    /// server doesn't have stays until it expires, because the push may be ahead of the server.
    ///
    /// - Parameters:
    ///   - state: The state up to which the store is current. Records with a later one are fetched again in the next
    ///     round.
    ///   - parts: The parts that requests carry.
    func confirm(in scope: TypeScope, at state: String, carrying parts: SendParts = .all) async throws {
        let type = scope.type
        let (unconfirmed, provisional) = try await store.read { db in
            (try db.unconfirmed(type, limit: .max), try db.provisional(type))
        }
        let mark: @Sendable (StoreWriter, SyncResponse.Records) throws -> Void = { writer, records in
            try writer.apply(type, records.list)
            if type.outline != nil, records.state != state { try writer.markUnconfirmed(type, records.list) }
        }
        try await fetch(unconfirmed, in: scope, carrying: parts) { writer, records, requested in
            try mark(writer, records)
            // An id in neither list violates the protocol. Requesting it repeatedly would block all others.
            let found = Set(records.list.compactMap { $0["id"]?.value.stringValue })
            try writer.remove(type, requested.filter { !found.contains($0) })
        }
        try await fetch(provisional, in: scope, carrying: parts) { writer, records, _ in
            try mark(writer, records)
        }
    }
}

extension TransportError {
    /// Whether a smaller request may succeed.
    var isAboutSize: Bool {
        switch self {
        case .timedOut, .tooLarge: true
        case .unreachable: false
        }
    }
}

extension SyncError {
    /// Whether a smaller request may succeed.
    var isAboutSize: Bool {
        switch self {
        case .transport(let error): error.isAboutSize
        case .method(let error): error.type == "requestTooLarge"
        default: false
        }
    }

    /// The error for an answer that doesn't match the request.
    static let mismatchedAnswer = SyncError.malformed("the answer doesn't match the request")
}
