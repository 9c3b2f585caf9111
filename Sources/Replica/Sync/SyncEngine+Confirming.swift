import Groundwork
import JMAP

/// What is here without an answer that vouches for it.
extension SyncEngine {
    /// Asks for the rows that are newer than the state was when they came, and that no changes have told of since; and for those that didn't
    /// come from the server.
    func confirm(_ type: RecordType, account: String, limits: CoreCapability) async throws {
        var chunk = limits.maxObjectsInGet
        while true {
            let (ids, received) = try await store.read { [chunk] db in
                (try db.unconfirmed(type, limit: chunk), try db.provisional(type))
            }
            guard !ids.isEmpty else { return try await confirm(received, of: type, account: account, limits: limits) }
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    // An id in neither list breaks the protocol. To ask for it again and again would block all else.
                    let found = Set(records.list.compactMap { $0["id"]?.value.stringValue })
                    try writer.remove(type, ids.filter { !found.contains($0) })
                }
            case .tooLarge where ids.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = ids.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    /// Asks for what a push brought and no changes have told of: the person may have read or deleted it elsewhere, before the state that this
    /// device has. What the server doesn't have stays for its time: the push may be early.
    private func confirm(
        _ received: [String],
        of type: RecordType,
        account: String,
        limits: CoreCapability
    ) async throws {
        var rest = received[...]
        var chunk = limits.maxObjectsInGet
        while !rest.isEmpty {
            let ids = Array(rest.prefix(chunk))
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in try writer.apply(type, records.list) }
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
