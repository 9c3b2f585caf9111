public import Foundation
public import Groundwork
public import InboxClient
public import Observation

/// The actions of a screen on messages, of which the last one can be undone for some seconds.
@MainActor
@Observable
public final class MessageActions {
    /// The seconds for which an action can be undone by default.
    public static let defaultUndoTime: TimeInterval = 10

    /// The last action, while it can be undone.
    public private(set) var undoable: UndoableAction?
    /// The reason why the last action failed; nothing was changed by it. Nil after one that succeeded.
    public private(set) var error: InboxError?
    /// The seconds for which an action can be undone. Infinity for until the next action, for people who need more
    /// time.
    @ObservationIgnored public var undoTime: TimeInterval

    @ObservationIgnored private let inbox: Inbox
    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private let ending = OwnedTask()

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
        self.undoTime = undoTime
        self.clock = clock
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
            if !action.ids.isEmpty { offer(action) }
            return true
        } catch {
            self.error = InboxError(error)
            return false
        }
    }

    /// Undoes the last action, if it still can be undone. If that fails, it can be tried again, and ``error`` has the
    /// reason.
    public func undo() async {
        guard let action = undoable else { return }
        offer(nil)
        do {
            try await action.undo(in: inbox)
            error = nil
        } catch {
            self.error = InboxError(error)
            if undoable == nil { offer(action) }
        }
    }

    /// Ends the time in which the last action can be undone, and removes its error.
    public func dismiss() {
        offer(nil)
        error = nil
    }

    private func offer(_ action: UndoableAction?) {
        ending.cancel()
        undoable = action
        guard action != nil, undoTime.isFinite else { return }
        let end = clock.now.addingTimeInterval(max(0, undoTime))
        ending.start { [weak self, clock] in
            guard (try? await clock.sleep(until: end)) != nil, !Task.isCancelled else { return }
            self?.undoable = nil
        }
    }
}
