import Foundation
import Groundwork
import Replica

extension Mail {
    /// What a mail says: as it is on this device, else from the server, after which it stays here within the budget.
    ///
    /// - Parameter id: The mail's.
    /// - Throws: `MailError`: `invalidArgument` where there is no such mail, `notConnected` and others where it isn't
    ///   here and the server can't be asked.
    @concurrent
    public func body(of id: String) async throws -> MailBody {
        if let stored = try await storedBody(of: id) { return stored }
        guard try await message(id: id) != nil else {
            throw MailError(.invalidArgument, "There is no mail with the id \(id) on this device.")
        }
        try await fetchBodies([id])
        guard let body = try await storedBody(of: id) else {
            throw MailError(.invalidArgument, "The server has no mail with the id \(id) any more.")
        }
        return body
    }

    /// What several mails say, by their ids, as ``body(of:)``; those that aren't on this device are asked for together.
    ///
    /// - Throws: As ``body(of:)``; a mail that is nowhere is left out.
    @concurrent
    public func bodies(of ids: [String]) async throws -> [String: MailBody] {
        var found: [String: MailBody] = [:]
        for id in ids { found[id] = try await storedBody(of: id) }
        let missing = ids.filter { found[$0] == nil }
        for start in stride(from: 0, to: missing.count, by: Self.bodiesAtOnce) {
            let some = Array(missing[start..<min(start + Self.bodiesAtOnce, missing.count)])
            try await fetchBodies(some)
            for id in some { found[id] = try await storedBody(of: id) }
        }
        return found
    }

    /// So few that an answer stays of a size to be kept in memory.
    private static var bodiesAtOnce: Int { 16 }

    /// What a mail says, as far as it is on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func storedBody(of id: String) async throws -> MailBody? {
        let now = configuration.clock.now.milliseconds
        let found = try await read { db in try db.storedBody(of: id) }
        guard let found, let json = try? JSON(parsing: found.text) else { return nil }
        if now - found.usedAt > Self.useInterval {
            // What is here can be read also where nothing can be written.
            _ = try? await write { writer in try writer.noteUse(ofBody: id, at: now) }
        }
        return MailBody(json)
    }

    /// How exactly it is known when a body was last looked at, in milliseconds.
    private static var useInterval: Int { 3_600_000 }

    private func fetchBodies(_ ids: [String]) async throws {
        do {
            try await bodySource.fetch(ids, for: .reading)
        } catch {
            throw MailError.wrapping(error)
        }
    }
}
