import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageModelTests {
    private func device(_ ids: [String] = [], syncs: Bool = true) async throws -> ScreenDevice {
        let device = try await ScreenDevice(ids.map { message($0) }, settings: nil, surface: "inbox")
        if syncs { try await device.inbox.sync() }
        return device
    }

    @Test func `opening a message marks it as read and tracks it once`() async throws {
        let device = try await device(["a"])
        let model = MessageModel("a", in: device.inbox)
        #expect(try await eventually { model.message?.readAt != nil })
        // What happens later is no new opening.
        try await device.inbox.markUnread("a")
        #expect(try await eventually { model.message?.readAt == nil })
        try await device.inbox.archive("a")
        #expect(try await eventually { model.message?.archivedAt != nil })
        try await device.inbox.sync()
        #expect(device.server.events.map(\.type) == [.opened])
        #expect(try await device.inbox.message(id: "a")?.readAt == nil)
    }

    @Test func `a preview opens nothing`() async throws {
        let device = try await device(["a"])
        let model = MessageModel("a", in: device.inbox, marksRead: false)
        #expect(try await eventually { model.message != nil })
        try await device.inbox.sync()
        #expect(device.server.events.isEmpty)
        #expect(try await device.inbox.message(id: "a")?.readAt == nil)
    }

    @Test func `a message that the device doesn't have is fetched`() async throws {
        let device = try await device(["a"], syncs: false)
        let model = MessageModel("a", in: device.inbox)
        #expect(model.state == .loading)
        #expect(try await eventually { model.message?.title == "Title a" })
        #expect(try await eventually { try await device.inbox.message(id: "a")?.readAt != nil })
    }

    @Test func `an unknown message is gone, and an unreachable one can be tried again`() async throws {
        let device = try await device(["a"], syncs: false)
        device.disconnect()
        let model = MessageModel("a", in: device.inbox)
        #expect(
            try await eventually {
                if case .failed(let error) = model.state { error.code == .notConnected } else { false }
            }
        )
        device.reconnect()
        model.retry()
        #expect(model.state == .loading)
        #expect(try await eventually { model.message != nil })
        let unknown = MessageModel("never", in: device.inbox)
        #expect(try await eventually { unknown.state == .gone })
    }

    @Test func `a known failure is shown without a fetch, until a retry`() async throws {
        let device = try await device(["a"], syncs: false)
        let failure = MessageModel.State.failed(InboxError(.notConnected, "no network"))
        let before = device.transport.requests.count
        let models = (0..<2).map { _ in MessageModel("a", in: device.inbox, marksRead: false, fetched: failure) }
        #expect(try await eventually { models.allSatisfy { $0.state == failure } })
        #expect(device.transport.requests.count == before)
        models[0].retry()
        #expect(try await eventually { models[0].message != nil })
        // By the observation.
        #expect(try await eventually { models[1].message != nil })
    }

    @Test func `a message that a push brings stays, also if its fetch fails later`() async throws {
        let device = try await device(syncs: false)
        let gate = Gate()
        device.transport.answer { _ in
            await gate.wait()
            throw TransportError.unreachable("no network")
        }
        let (model, other) = (MessageModel("a", in: device.inbox), MessageModel("b", in: device.inbox))
        #expect(try await eventually { device.transport.requests.count > 0 })
        let push = #"{"aps":{"alert":{"title":"Pushed","body":"Text"}},"inbox":{"id":"a","person":"alice"}}"#
        try await device.inbox.receive(push: Data(push.utf8))
        #expect(try await eventually { model.message?.title == "Pushed" })
        await gate.open()
        #expect(try await eventually { if case .failed = other.state { true } else { false } })
        await Task { @MainActor in }.value
        #expect(model.message?.title == "Pushed")
    }

    @Test func `a message that is deleted while shown is gone`() async throws {
        let device = try await device(["a"])
        let model = MessageModel("a", in: device.inbox)
        #expect(try await eventually { model.message != nil })
        try await device.inbox.delete("a")
        #expect(try await eventually { model.state == .gone })
        try await device.inbox.undelete("a")
        #expect(try await eventually { model.message != nil })
    }

    @Test func `the number of unread messages follows each change`() async throws {
        let device = try await device(["a", "b"])
        let count = UnreadCountModel(device.inbox)
        #expect(count.value == 2)
        try await device.inbox.markRead("a")
        #expect(try await eventually { count.value == 1 })
        device.server.deliver(message("c"))
        try await device.inbox.sync()
        #expect(try await eventually { count.value == 2 })
        await device.inbox.close()
        #expect(try await eventually { count.value == 0 })
    }

    @Test func `the connection's notice has the changes that wait`() async throws {
        let device = try await device(["a"])
        let model = ConnectionModel(device.inbox)
        #expect(model.notice == nil)
        device.disconnect()
        try await device.inbox.archive("a")
        _ = try? await device.inbox.sync()
        #expect(try await eventually { if case .offline(1, _) = model.notice { true } else { false } })
        device.reconnect()
        try await device.inbox.sync()
        #expect(try await eventually { model.notice == nil && model.pendingWrites == 0 })
    }

    @Test(arguments: [ConnectionState.idle, .connecting, .live, .polling, .otherProcess, .closed])
    func `a connection that works has no notice`(_ state: ConnectionState) {
        #expect(ConnectionNotice(state, pendingWrites: 3) == nil)
    }

    @Test func `a refused token asks to sign in`() {
        #expect(ConnectionNotice(.otherPerson, pendingWrites: 2) == .signInNeeded(pendingWrites: 2))
        #expect(
            ConnectionNotice(.unauthorized(reason: TokenRefusal(.unspecified)), pendingWrites: 0)
                == .signInNeeded(pendingWrites: 0)
        )
    }
}
