import Eventually
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageActionsTests {
    private let device: ScreenDevice
    private let actions: MessageActions
    private var inbox: Inbox { device.inbox }
    private var clock: ManualClock { device.clock }

    init() async throws {
        device = try await ScreenDevice(
            [message("a"), message("b", minutesAgo: 2), message("c", minutesAgo: 3)],
            settings: nil,
            surface: "inbox"
        )
        try await device.inbox.sync()
        actions = MessageActions(device.inbox, clock: device.clock)
    }

    private func ids(_ filter: MessageFilter) async throws -> [String] { try await inbox.messages(filter).map(\.id) }

    @Test(arguments: [
        (UndoableAction.Kind.archive, MessageFilter.archived), (.delete, .deleted), (.markRead, .read),
        (.snooze(until: ManualClock().now.addingTimeInterval(3_600)), .snoozed),
    ])
    func `an action takes effect and is undone`(_ kind: UndoableAction.Kind, _ filter: MessageFilter) async throws {
        #expect(await actions.perform(kind, ["a", "c"]))
        #expect(try await ids(filter) == ["a", "c"])
        #expect(actions.undoable?.kind == kind && actions.undoable?.ids == ["a", "c"])
        await actions.undo()
        #expect(try await ids(filter) == [])
        #expect(try await ids(.unread) == ["a", "b", "c"])
        #expect(actions.undoable == nil && actions.error == nil)
    }

    @Test(arguments: [
        (UndoableAction.Kind.unarchive, MessageFilter.archived), (.undelete, .deleted), (.markUnread, .read),
        (.unsnooze, .snoozed),
    ])
    func `unarchiving, restoring, marking unread and unsnoozing can be undone`(
        _ kind: UndoableAction.Kind,
        _ filter: MessageFilter
    ) async throws {
        let until = clock.now.addingTimeInterval(3_600)
        switch filter {
        case .archived: try await inbox.archive("b")
        case .deleted: try await inbox.delete("b")
        case .read: try await inbox.markRead("b")
        default: try await inbox.snooze("b", until: until)
        }
        #expect(await actions.perform(kind, ["b"]))
        #expect(try await ids(filter) == [])
        await actions.undo()
        #expect(try await ids(filter) == ["b"])
        if filter == .snoozed { #expect(try await inbox.message(id: "b")?.snoozedUntil == until) }
    }

    @Test func `only the messages that an action changed are undone`() async throws {
        try await inbox.archive("a")
        await actions.perform(.archive, ["a", "b"])
        #expect(actions.undoable?.ids == ["b"])
        await actions.undo()
        #expect(try await ids(.archived) == ["a"])
    }

    @Test func `undoing a later snooze restores the earlier time`() async throws {
        let (early, late) = (clock.now.addingTimeInterval(60), clock.now.addingTimeInterval(7_200))
        try await inbox.snooze("a", until: early)
        await actions.perform(.snooze(until: late), ["a", "b"])
        await actions.undo()
        #expect(try await inbox.message(id: "a")?.snoozedUntil == early)
        #expect(try await inbox.message(id: "b")?.snoozedUntil == nil)
    }

    @Test func `an action that changes nothing leaves the one before it`() async throws {
        await actions.perform(.archive, ["a"])
        await actions.perform(.markUnread, ["b"])
        await actions.perform(.delete, [])
        #expect(actions.undoable?.kind == .archive)
    }

    @Test func `an action can be undone for ten seconds, from the last one on`() async throws {
        let before = clock.sleeperCount
        for id in ["a", "b"] {
            await actions.perform(.archive, [id])
            #expect(try await eventually { clock.sleeperCount == before + 1 })
            clock.advance(by: 9)
            // It still waits for its time.
            #expect(clock.sleeperCount == before + 1 && actions.undoable?.ids == [id])
        }
        clock.advance(by: 1)
        #expect(try await eventually { actions.undoable == nil })
        await actions.undo()
        #expect(try await ids(.archived) == ["a", "b"])
    }

    @Test func `the time to undo can be unlimited`() async throws {
        actions.undoTime = .infinity
        let before = clock.sleeperCount
        await actions.perform(.archive, ["a"])
        // What was started on the main actor until now runs before this, and waits for no time.
        await Task { @MainActor in }.value
        #expect(clock.sleeperCount == before)
        clock.advance(by: 86_400)
        #expect(actions.undoable?.ids == ["a"])
        actions.dismiss()
        #expect(actions.undoable == nil)
    }

    @Test func `a failed action is reported and changes nothing`() async throws {
        await inbox.close()
        #expect(await !actions.perform(.archive, ["a"]))
        #expect(actions.error?.code == .closed && actions.undoable == nil)
        actions.dismiss()
        #expect(actions.error == nil)
    }

    @Test func `an undo that fails can be tried again`() async throws {
        await actions.perform(.archive, ["a"])
        await inbox.close()
        await actions.undo()
        #expect(actions.error?.code == .closed && actions.undoable?.ids == ["a"])
    }
}
