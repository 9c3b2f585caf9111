import Groundwork
import JMAP

/// What is here without an answer that vouches for it.
extension SyncEngine {
    /// Asks for the rows that are newer than the state was when they came, and that no changes have told of since; and
    /// for those that didn't come from the server.
    ///
    /// - Parameter state: The state up to which the store is current. What comes with a later one is asked for again
    ///   next time.
    func confirm(_ type: RecordType, account: String, limits: CoreCapability, at state: String) async throws {
        let (unconfirmed, received) = try await store.read { db in
            (try db.unconfirmed(type, limit: .max), try db.provisional(type))
        }
        var rest = unconfirmed[...]
        var chunk = limits.maxObjectsInGet
        while !rest.isEmpty {
            let ids = Array(rest.prefix(chunk))
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    // An id in neither list breaks the protocol. To ask for it again and again would block all else.
                    let found = Set(records.list.compactMap { $0["id"]?.value.stringValue })
                    try writer.remove(type, ids.filter { !found.contains($0) })
                    if type.outline != nil, records.state != state { try writer.markUnconfirmed(type, records.list) }
                }
                rest = rest.dropFirst(ids.count)
            case .tooLarge where ids.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = ids.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
        try await confirm(received, of: type, account: account, limits: limits, at: state)
    }

    /// Asks for what a push brought and no changes have told of: the person may have read or deleted it elsewhere,
    /// before the state that this device has. What the server doesn't have stays for its time: the push may be early.
    private func confirm(
        _ received: [String],
        of type: RecordType,
        account: String,
        limits: CoreCapability,
        at state: String
    ) async throws {
        var rest = received[...]
        var chunk = limits.maxObjectsInGet
        while !rest.isEmpty {
            let ids = Array(rest.prefix(chunk))
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    if type.outline != nil, records.state != state { try writer.markUnconfirmed(type, records.list) }
                }
                rest = rest.dropFirst(ids.count)
            case .tooLarge where ids.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = ids.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }
}
