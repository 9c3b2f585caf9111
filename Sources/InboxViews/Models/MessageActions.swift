public import Foundation
public import Groundwork
public import InboxClient
public import Observation
import Replica

/// The actions of a screen on messages, of which the last one can be undone for some seconds.
@MainActor
@Observable
public final class MessageActions {
    /// The seconds for which an action can be undone by default.
    public static let defaultUndoTime: TimeInterval = 10

    /// The last action, while it can be undone.
    public var undoable: UndoableAction? { offer.action }
    /// The reason why the last action failed; nothing was changed by it. Nil after one that succeeded.
    public private(set) var error: InboxError?
    /// The seconds for which an action can be undone. Infinity for until the next action, for people who need more
    /// time.
    public var undoTime: TimeInterval {
        get { offer.time }
        set { offer.time = newValue }
    }

    @ObservationIgnored private let inbox: Inbox
    private let offer: PendingUndo<UndoableAction>

    /// Creates actions on the messages of an inbox.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - undoTime: The seconds for which an action can be undone.
    ///   - clock: The clock.
    public init(
        _ inbox: Inbox,
        undoTime: TimeInterval = MessageActions.defaultUndoTime,
        clock: any WallClock = SystemClock()
    ) {
        self.inbox = inbox
        offer = PendingUndo(time: undoTime, clock: clock)
    }

    /// Performs an action on messages. It is stored before the method returns, also offline. An action that changes
    /// nothing can't be undone, and the action before it still can.
    ///
    /// - Returns: Whether it succeeded. If not, ``error`` has the reason.
    @discardableResult
    public func perform(_ kind: UndoableAction.Kind, _ ids: [String]) async -> Bool {
        guard !ids.isEmpty else { return true }
        return await perform { [inbox] in try await UndoableAction(kind, of: ids, in: inbox) }
    }

    /// Marks all messages as read, as ``perform(_:_:)`` does with some.
    ///
    /// - Parameter surface: The surface of the messages; nil for all.
    @discardableResult
    public func markAllRead(surface: String? = nil) async -> Bool {
        await perform { [inbox] in try await UndoableAction(markingAllReadIn: inbox, surface: surface) }
    }

    private func perform(_ body: () async throws -> UndoableAction) async -> Bool {
        do {
            let action = try await body()
            error = nil
            if !action.ids.isEmpty { offer.offer(action) }
            return true
        } catch {
            self.error = InboxError(error)
            return false
        }
    }

    /// Undoes the last action, if it still can be undone. If that fails, it can be tried again, and ``error`` has the
    /// reason.
    public func undo() async {
        guard undoable != nil else { return }
        do {
            try await offer.undo { [inbox] in _ = try await $0.undo(in: inbox) }
            error = nil
        } catch {
            self.error = InboxError(error)
        }
    }

    /// Ends the time in which the last action can be undone, and removes its error.
    public func dismiss() {
        offer.offer(nil)
        error = nil
    }
}

extension InboxError {
    /// The error of a failure as a screen shows it. One that isn't the client's is that of a closed inbox.
    init(_ error: any Error) {
        self = Self.wrapping(error) as? InboxError ?? InboxError(.closed, "The inbox was closed.")
    }
}
