import Foundation
import Groundwork
import Replica

extension Mail {
    /// Returns the body of a mail, and fetches it from the server if it isn't on this device. A fetched body is kept
    /// within the budget.
    ///
    /// - Parameter id: The mail's id.
    /// - Throws: `MailError`: `invalidArgument` if the mail doesn't exist; `notConnected` and others if the body isn't
    ///   on this device and the server can't be reached.
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

    /// Returns the bodies of several mails by id, as ``body(of:)`` does. Bodies that aren't on this device are
    /// requested together.
    ///
    /// - Throws: As ``body(of:)``. A mail that doesn't exist is left out.
    @concurrent
    public func bodies(of ids: [String]) async throws -> [String: MailBody] {
        var found: [String: MailBody] = [:]
        for id in ids { found[id] = try await storedBody(of: id) }
        let missing = ids.filter { found[$0] == nil }
        for start in stride(from: 0, to: missing.count, by: BodySource.batchSize) {
            let some = Array(missing[start..<min(start + BodySource.batchSize, missing.count)])
            try await fetchBodies(some)
            for id in some { found[id] = try await storedBody(of: id) }
        }
        return found
    }

    /// Returns the body of a mail if it is on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func storedBody(of id: String) async throws -> MailBody? {
        let now = configuration.clock.now.milliseconds
        let found = try await read { db in try db.storedBody(of: id) }
        guard let found, let json = try? JSON(parsing: found.text) else { return nil }
        if now - found.usedAt > Self.useInterval {
            // The body can be read even if the store can't be written.
            _ = try? await write { writer in try writer.noteUse(ofBody: id, at: now) }
        }
        return MailBody(json)
    }

    /// The precision with which the last use of a body is stored, in milliseconds.
    private static var useInterval: Int { 3_600_000 }

    private func fetchBodies(_ ids: [String]) async throws {
        do {
            try await bodySource.fetch(ids, for: .reading)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Fetches the text of a draft's version, unless it is on this device whole.
    ///
    /// - Throws: As ``body(of:)``.
    func fetchDraftText(of version: String) async throws {
        if let stored = try await storedBody(of: version), !stored.isTruncated { return }
        do {
            try await bodySource.fetch([version], for: .reading, isWhole: true)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Returns the whole body of a mail for forwarding, whatever its length.
    ///
    /// - Returns: The body as the server has it; a cut one if the server cuts it.
    /// - Throws: As ``body(of:)``.
    func wholeBody(of id: String) async throws -> MailBody {
        let body = try await body(of: id)
        guard body.isTruncated else { return body }
        do {
            return try await bodySource.whole(id) ?? body
        } catch {
            throw MailError.wrapping(error)
        }
    }
}
