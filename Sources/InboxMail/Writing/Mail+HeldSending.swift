public import Foundation
import Groundwork
import Replica

/// Mails for later that the server holds.
extension Mail {
    /// Returns the last check whether the server sends what it holds; nil without one on this device. It needs no
    /// network.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func heldSendingCheck() async throws -> HeldSendingCheck? {
        try await read { db in try db.heldSendingCheck() }
    }

    /// Checks whether the server sends what it holds. It takes up to two minutes longer than the given time.
    ///
    /// Two small mails to the person are given to the server, to be sent after some seconds, and one of them is taken
    /// back. The server is verified if the other one arrives, not before its time, and the server says that it has sent
    /// it. Both are removed at the end; if the process ends before, they stay. The result is kept on this device, in
    /// place of the last one, until the mail is signed out.
    ///
    /// - Parameter seconds: The time for which the server is to hold the mail, from 5 to 3,600.
    /// - Returns: The result. A server that can't do it isn't an error.
    /// - Throws: `MailError`: `invalidArgument` for another time, or if the account has no address to send with;
    ///   `notConnected` and others if the server can't be reached, and the last result stays; `storage`, `closed`;
    ///   `CancellationError`.
    @concurrent
    @discardableResult
    public func verifyHeldSending(after seconds: TimeInterval = 20) async throws -> HeldSendingCheck {
        guard (5...3_600).contains(seconds) else {
            throw MailError(.invalidArgument, "The time has to be from 5 to 3600 seconds.")
        }
        do {
            try checkOpen()
            let outbox = open.outbox
            let check = try await ReplicaStore.withSyncAllowed {
                try await outbox.checkHeldSending(after: Int(seconds * 1_000))
            }
            try await write { writer in try writer.set(check) }
            return check
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Asks the server not to send a mail that it holds, if it does, and waits for the answer. Another process that is
    /// at work asks in place of this one.
    ///
    /// - Throws: `MailError`: `notConnected` and others if it isn't known yet whether the server sends it.
    func takeBackFromServer(_ id: String) async throws {
        func isOpen() async throws -> Bool {
            try await read { db in
                guard let job = try db.draftDocument(id)?.job else { return false }
                return job.isBeingTakenBack || job.released.map { !$0.isCancelled } ?? false
            }
        }
        guard try await isOpen() else { return }
        var failure: any Error = MailError(
            .notConnected,
            "The server, which holds the mail, hasn't confirmed that it won't send it. It is asked again by itself."
        )
        do {
            // Not the others, which the person may be about to take back.
            var progress = try await open.outbox.flush(only: id)
            let clock = configuration.clock
            let deadline = clock.now.addingTimeInterval(engine.settings.otherProcessDeadline)
            while progress.isLeftToOther, clock.now < deadline, try await isOpen() {
                try await clock.sleep(seconds: 0.1)
                progress = try await open.outbox.flush(only: id)
            }
            if progress.isLeftToOther { failure = SyncError.otherProcess }
            if let error = progress.failure { failure = error }
        } catch {
            failure = error
        }
        if try await isOpen() { throw MailError.wrapping(failure) }
    }
}
