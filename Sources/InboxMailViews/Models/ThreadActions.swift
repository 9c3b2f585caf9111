public import Foundation
public import Groundwork
public import InboxMail
public import InboxViews
public import Observation
import Replica

/// The actions of a screen on threads, of which the last one can be undone for some seconds.
@MainActor
@Observable
public final class ThreadActions {
    /// The last change, while it can be undone.
    public var undoable: PerformedMailChange? { offer.action }
    /// The reason why the last action failed; nothing was changed by it. Nil after one that succeeded.
    public private(set) var error: MailError?
    /// Whether the server has rejected a change since ``dismiss()`` or the last action, and it was reverted.
    public private(set) var wasRefused = false
    /// The seconds for which a change can be undone. Infinity for until the next one, for people who need more time.
    public var undoTime: TimeInterval {
        get { offer.time }
        set { offer.time = newValue }
    }

    @ObservationIgnored private let mail: Mail
    private let offer: PendingUndo<PerformedMailChange>
    @ObservationIgnored private let refusals = OwnedTask()

    /// Creates actions on the threads of an account.
    ///
    /// - Parameters:
    ///   - mail: The account.
    ///   - undoTime: The seconds for which a change can be undone.
    ///   - clock: The clock.
    public init(
        _ mail: Mail,
        undoTime: TimeInterval = MessageActions.defaultUndoTime,
        clock: any WallClock = SystemClock()
    ) {
        self.mail = mail
        offer = PendingUndo(time: undoTime, clock: clock)
        let refused = mail.refusedActions
        refusals.start { [weak self] in
            for await _ in refused {
                guard let self else { return }
                // There is nothing left to undo.
                offer.offer(nil)
                wasRefused = true
            }
        }
    }

    /// Makes a change of threads. It is stored before the method returns, also offline. One that changes nothing can't
    /// be undone, and the one before it still can.
    ///
    /// - Returns: Whether it succeeded. If not, ``error`` has the reason.
    @discardableResult
    public func perform(_ change: MailChange, _ ids: [String]) async -> Bool {
        guard !ids.isEmpty else { return true }
        return await perform { [mail] in try await mail.perform(change, threads: ids) }
    }

    /// Makes a change of all threads that meet a condition, also of those that aren't on screen, as ``perform(_:_:)``
    /// does with some.
    @discardableResult
    public func perform(_ change: MailChange, where predicate: Predicate<MailThread>) async -> Bool {
        await perform { [mail] in try await mail.perform(change, where: predicate) }
    }

    private func perform(_ body: () async throws -> PerformedMailChange) async -> Bool {
        do {
            let performed = try await body()
            (error, wasRefused) = (nil, false)
            if !performed.threadIDs.isEmpty { offer.offer(performed) }
            return true
        } catch {
            self.error = MailError(error)
            return false
        }
    }

    /// Undoes the last change, if it still can be undone. If that fails, it can be tried again, and ``error`` has the
    /// reason.
    public func undo() async {
        guard undoable != nil else { return }
        do {
            try await offer.undo { [mail] in _ = try await mail.undo($0) }
            error = nil
        } catch {
            self.error = MailError(error)
        }
    }

    /// Ends the time in which the last change can be undone, and clears the failure.
    public func dismiss() {
        offer.offer(nil)
        (error, wasRefused) = (nil, false)
    }
}

extension MailError {
    /// The error of a failure as a screen shows it. One that isn't the client's is that of closed mail.
    init(_ error: any Error) { self = Self.wrapping(error) as? MailError ?? .closedMail }

    /// The error of mail that was closed or signed out while it was shown.
    static var closedMail: MailError { MailError(.closed, "The mail was closed.") }
}
