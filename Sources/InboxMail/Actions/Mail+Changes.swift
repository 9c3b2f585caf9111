public import Foundation
import Replica

/// Changes of threads that can be undone.
extension Mail {
    /// Makes a change of threads. It is durable and visible before the call returns, needs no network, and is sent to
    /// the server automatically.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - ids: The ids of the threads. Those that aren't on this device are ignored.
    /// - Returns: The change that was made, for ``undo(_:)``.
    /// - Throws: `MailError`: `invalidArgument` if the account lacks a mailbox that the change needs, `storage`,
    ///   `diskFull`, `closed`. If it throws, nothing has changed.
    @concurrent
    @discardableResult
    public func perform(_ change: MailChange, threads ids: [String]) async throws -> PerformedMailChange {
        try await write { writer in try writer.perform(change, threads: ids) }
    }

    /// Makes a change of all threads on this device that meet a condition, as ``perform(_:threads:)`` does. With
    /// ``MailScope/slices`` it requests none.
    ///
    /// - Throws: As ``perform(_:threads:)``; `MailError` `invalidArgument` also for an unsupported condition.
    @concurrent
    @discardableResult
    public func perform(
        _ change: MailChange,
        where predicate: Predicate<MailThread>
    ) async throws -> PerformedMailChange {
        try await write { writer in
            let threads = try StoreQuery(Query(where: predicate), .thread).fetch(writer.db)
            return try writer.perform(change, threads: threads.map(\.id))
        }
    }

    /// Undoes a change: restores the keywords and the mailboxes that each mail had before. A value that has changed
    /// again since, on any device, stays.
    ///
    /// - Returns: The ids of the changed mails.
    /// - Throws: `MailError`: `storage`, `diskFull`, `closed`. If it throws, nothing has changed.
    @concurrent
    @discardableResult
    public func undo(_ performed: PerformedMailChange) async throws -> [String] {
        try await write { writer in
            let ids = performed.messageIDs
            let mails = Dictionary(
                try StoreQuery(Query(where: #Predicate { ids.contains($0.id) }), .email).fetch(writer.db)
                    .map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let reverted = performed.edits.compactMap { edit -> PerformedMailChange.Edit? in
                guard let mail = mails[edit.message] else { return nil }
                let members = mail.members(of: edit.property)
                guard edit.members.allSatisfy({ members.contains($0.key) == $0.value }) else { return nil }
                return PerformedMailChange.Edit(
                    message: edit.message,
                    property: edit.property,
                    members: edit.members.mapValues { !$0 }
                )
            }
            return try writer.apply(reverted).map(\.message)
        }
    }
}

extension StoreWriter {
    fileprivate func perform(_ change: MailChange, threads ids: [String]) throws -> PerformedMailChange {
        let plan = try MailChangePlan(change, db)
        var (changed, edits): ([String], [PerformedMailChange.Edit]) = ([], [])
        for id in ids {
            let made = try apply(try plan.edits(ofThread: id))
            if !made.isEmpty { changed.append(id) }
            edits += made
        }
        return PerformedMailChange(change: change, threadIDs: changed, edits: edits)
    }
}
