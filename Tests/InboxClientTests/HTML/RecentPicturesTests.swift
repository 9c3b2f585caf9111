import Eventually
import Foundation
import Groundwork
import InboxModel
import InboxTesting
import Testing

@testable import InboxClient
@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct RecentPicturesTests {
    private let server = ScriptedServer(person: "alice")

    private static let host = "https://cdn.example.com/"

    /// A device with messages that have a picture of their own name, the last one the newest.
    private func device(
        _ names: [String],
        _ configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws -> Device {
        for (index, name) in names.enumerated() { deliver(name, at: Double(index)) }
        let transport = ScriptedTransport { [server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            return TransportResponse(status: 200, body: Array("GIF89a 0123456789".utf8), url: request.url)
        }
        return try await Device(server) { configuration in
            configuration.transport = transport
            configure(&configuration)
        }
    }

    private func deliver(_ name: String, at seconds: Double, picture: String? = nil) {
        server.deliver(
            Message(
                id: name,
                title: name,
                html: "<img src='\(Self.host)\(picture ?? name)'>",
                deliverAt: ManualClock().now.addingTimeInterval(seconds - 100)
            )
        )
    }

    /// The pictures that are stored, by message.
    private func stored(_ device: Device) async throws -> [String] {
        var found: [String] = []
        for message in try await device.inbox.messages() {
            let shown = try await device.inbox.html(of: message.id, fetchesPictures: false)
            if shown?.shownPictureCount == 1 { found.append(message.id) }
        }
        return found
    }

    private func recent(_ device: Device, count: Int, budget: Int = 1_000) -> RecentPictures {
        RecentPictures(device.inbox.open.pictures, of: device.inbox.store, count: count, budget: budget)
    }

    @Test func `the pictures of the newest messages are there without a network`() async throws {
        let phone = try await device(["a", "b", "c"]) { configuration in
            configuration.isLive = true
            configuration.recentPictures = 2
        }
        #expect(try await eventually { try await stored(phone) == ["c", "b"] })
        await phone.inbox.close()
    }

    @Test func `by default no picture is fetched in advance`() async throws {
        #expect(InboxConfiguration().recentPictures == 0)
        let phone = try await device(["a"]) { $0.isLive = true }
        #expect(try await eventually { try await phone.ids() == ["a"] })
        #expect(try await stored(phone) == [])
        await phone.inbox.close()
    }

    @Test func `pictures are fetched in advance up to half of the budget`() async throws {
        let phone = try await device(["a", "b", "c", "d"])
        try await phone.inbox.sync()
        // A picture has 17 bytes.
        try await recent(phone, count: 10, budget: 68).fetch()
        #expect(try await stored(phone) == ["d", "c"])
    }

    @Test func `a message is tried once, and again when its HTML changes`() async throws {
        let phone = try await device(["a"])
        try await phone.inbox.sync()
        let recent = recent(phone, count: 1)
        try await recent.fetch()
        try await phone.inbox.store.write { writer in try writer.dropPictures(of: .message, over: 0) }
        try await recent.fetch()
        #expect(try await stored(phone) == [])
        deliver("a", at: 0, picture: "other")
        try await phone.inbox.sync()
        try await recent.fetch()
        #expect(try await stored(phone) == ["a"])
    }
}
