import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import JMAP
import Testing

/// The settings of surfaces on a device.
@Suite(.timeLimit(.minutes(5))) struct SettingsTests {
    let server = ScriptedServer(person: "alice")

    /// A device that has synced.
    private func phone(configure: (inout InboxConfiguration) -> Void = { _ in }) async throws -> Device {
        let phone = try await Device(server, configure: configure)
        try await phone.inbox.sync()
        return phone
    }

    /// A device that receives changes by an event stream.
    private func livePhone(clock: ManualClock = ManualClock(), directory: URL? = nil) async throws -> Device {
        try await Device(server, clock: clock, directory: directory, hasEvents: true) { $0.isLive = true }
    }

    private func bodies(_ phone: Device) -> [String] {
        phone.transport.requests.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
    }

    // MARK: - Reading

    @Test func `settings arrive with a sync and are available offline`() async throws {
        server.setSettings(InboxSettings(title: "News", layout: .horizontal), surface: "inbox")
        server.setSettings(InboxSettings(title: "Café"), surface: "cafe\u{301}")
        let phone = try await Device(server)
        #expect(try await phone.inbox.settings(surface: "inbox") == nil, "it has never synced")
        try await phone.inbox.sync()
        phone.disconnect()
        #expect(
            try await phone.inbox.settings(surface: "inbox") == InboxSettings(title: "News", layout: .horizontal)
        )
        #expect(try await phone.inbox.settings(surface: "café")?.title == "Café", "one name, two spellings")
        #expect(try await phone.inbox.settings(surface: "other") == nil)
        await phone.inbox.close()
        let again = try await Device(server, directory: phone.directory)
        #expect(try await again.inbox.settings(surface: "inbox")?.title == "News")
    }

    @Test func `changed settings arrive with the next sync`() async throws {
        server.setSettings(InboxSettings(title: "Old"), surface: "a")
        let phone = try await phone()
        server.setSettings(InboxSettings(title: "New"), surface: "a")
        server.setSettings(InboxSettings(title: "B"), surface: "b")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "New")
        #expect(try await phone.inbox.settings(surface: "b")?.title == "B")
    }

    @Test func `a sync without news is one request, and changed settings one more`() async throws {
        server.setSettings(InboxSettings(title: "Old"), surface: "a")
        let phone = try await phone()
        var before = bodies(phone).count
        #expect(before == 4, "the newest, their changes, all others in outline, the surfaces")
        try await phone.inbox.sync()
        #expect(bodies(phone).count == before + 1)
        #expect(bodies(phone).last?.contains("InboxSurface/changes") == true)
        server.setSettings(InboxSettings(title: "New"), surface: "a")
        before = bodies(phone).count
        try await phone.inbox.sync()
        #expect(bodies(phone).count == before + 2)
    }

    @Test func `a server with a low call limit is asked for settings in a separate request`() async throws {
        server.setLimits { $0.maxCallsInRequest = 5 }
        server.setSettings(InboxSettings(title: "Old"), surface: "a")
        let phone = try await phone()
        server.setSettings(InboxSettings(title: "New"), surface: "a")
        try await phone.inbox.sync()
        #expect(!bodies(phone).contains { $0.contains("InboxMessage/changes") && $0.contains("InboxSurface/changes") })
        #expect(try await phone.inbox.settings(surface: "a")?.title == "New")
    }

    @Test func `after the server has forgotten changes, settings are updated and removed`() async throws {
        server.setSettings(InboxSettings(title: "A"), surface: "a")
        server.setSettings(InboxSettings(title: "B"), surface: "b")
        server.deliver(.at(0, "m"))
        let phone = try await phone()
        server.setSettings(InboxSettings(title: "New"), surface: "a")
        server.removeSettings(surface: "b")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "New")
        #expect(try await phone.inbox.settings(surface: "b") == nil)
        #expect(try await phone.ids() == ["m"])
    }

    // MARK: - Invalid settings

    @Test(arguments: [
        #"{"cardSpacing":"wide"}"#, #"{"layout":7}"#, #"{"deviceLimit":"some"}"#, #"{"unreadIndicator":true}"#,
        #"{"isPullToRefreshEnabled":"yes"}"#, "7", "null", #"["a"]"#,
    ])
    func `invalid settings throw an error until they are corrected`(record: String) async throws {
        server.setSettings(json: try JSON(parsing: record.utf8), surface: "a")
        server.deliver(.at(0, "m"))
        let phone = try await phone()
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.settings(surface: "a") }
        #expect(error?.code == .invalidAnswer)
        #expect(try await phone.ids() == ["m"])
        server.setSettings(InboxSettings(title: "Repaired"), surface: "a")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "Repaired")
    }

    @Test(arguments: [
        #"{"title":"T","mood":"calm"}"#, #"{"title":"T","emptyImage":7}"#, #"{"title":"T","buttonLabel":{}}"#,
        #"{"title":"T","layout":"diagonal"}"#, #"{"title":"T","cardSpacing":null}"#,
        #"{"title":"T","deviceLimit":"all"}"#,
    ])
    func `new or optional properties never invalidate settings`(record: String) async throws {
        server.setSettings(json: try JSON(parsing: record.utf8), surface: "a")
        let phone = try await phone()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "T")
    }

    // MARK: - Observing

    @Test func `an observer receives the stored settings, then each change only`() async throws {
        server.setSettings(InboxSettings(title: "One"), surface: "a")
        let phone = try await phone()
        var settings = phone.inbox.observeSettings(surface: "a").makeAsyncIterator()
        #expect(await settings.next() == .success(InboxSettings(title: "One")))
        // Neither messages nor another surface's settings are a change here.
        server.deliver(.at(0, "m"))
        server.setSettings(InboxSettings(title: "B"), surface: "b")
        try await phone.inbox.sync()
        server.setSettings(json: ["layout": 7], surface: "a")
        try await phone.inbox.sync()
        guard case .failure(let error) = await settings.next() else {
            Issue.record("not an error")
            return
        }
        #expect(error.code == .invalidAnswer)
        server.setSettings(InboxSettings(title: "Two"), surface: "a")
        try await phone.inbox.sync()
        #expect(await settings.next() == .success(InboxSettings(title: "Two")), "an error isn't the end")
        server.removeSettings(surface: "a")
        try await phone.inbox.sync()
        #expect(await settings.next() == .success(nil))
        await phone.inbox.close()
        #expect(await settings.next() == nil)
    }

    @Test func `a change on the server reaches a live device by the event stream`() async throws {
        let phone = try await livePhone()
        var settings = phone.inbox.observeSettings(surface: "a").makeAsyncIterator()
        #expect(await settings.next() == .success(nil))
        #expect(try await eventually { phone.inbox.connectionState == .live })
        server.setSettings(InboxSettings(title: "Live"), surface: "a")
        #expect(await settings.next() == .success(InboxSettings(title: "Live")))
    }

    @Test func `without an event stream, a live device polls for settings`() async throws {
        let phone = try await Device(server) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        server.setSettings(InboxSettings(title: "Later"), surface: "a")
        let hasCome = try await eventually {
            phone.clock.advance(by: 5)
            return try await phone.inbox.settings(surface: "a")?.title == "Later"
        }
        #expect(hasCome)
    }

    @Test func `another process observes the settings that this one fetches`() async throws {
        let (app, clock) = (try await livePhone(), ManualClock())
        #expect(try await eventually { app.inbox.connectionState == .live })
        let other = try await livePhone(clock: clock, directory: app.directory)
        #expect(try await eventually { other.inbox.connectionState == .otherProcess })
        var settings = other.inbox.observeSettings(surface: "a").makeAsyncIterator()
        #expect(await settings.next() == .success(nil))
        server.setSettings(InboxSettings(title: "News"), surface: "a")
        let moving = Task {
            while !Task.isCancelled {
                clock.advance(by: 1)
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        #expect(await settings.next() == .success(InboxSettings(title: "News")))
        moving.cancel()
        #expect(bodies(other).isEmpty)
    }

    @Test func `a cancelled task ends its sequence`() async throws {
        let phone = try await phone()
        let listening = Task {
            var count = 0
            for await _ in phone.inbox.observeSettings(surface: "a") { count += 1 }
            return count
        }
        listening.cancel()
        #expect(await listening.value <= 1)
    }

    // MARK: - Servers and people

    @Test func `a server without surfaces syncs messages and is asked again in a new session`() async throws {
        server.failSurfaces(with: .unknownMethod)
        server.deliver(.at(0, "m"))
        let phone = try await phone()
        #expect(try await phone.ids() == ["m"])
        #expect(try await phone.inbox.settings(surface: "a") == nil)
        let before = bodies(phone).count
        try await phone.inbox.sync()
        #expect(bodies(phone).count == before + 1)
        #expect(bodies(phone).filter { $0.contains("InboxSurface") }.count == 1, "requested once")

        server.failSurfaces(with: nil)
        server.setSettings(InboxSettings(title: "News"), surface: "a")
        server.changeSession()
        // The first sync notices the new session.
        try await phone.inbox.sync()
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "News")
    }

    @Test func `a server that no longer supports surfaces leaves the stored settings`() async throws {
        server.setSettings(InboxSettings(title: "News"), surface: "a")
        let phone = try await phone()
        server.failSurfaces(with: .unknownMethod)
        server.deliver(.at(0, "m"))
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m"])
        #expect(try await phone.inbox.settings(surface: "a")?.title == "News")
    }

    @Test func `where a server refuses the ids of its own changes, all settings are requested`() async throws {
        server.setSettings(InboxSettings(title: "Old"), surface: "a")
        let phone = try await phone()
        phone.intercept("InboxSurface/get") { [server] request, _ in
            var answer = server.answer(request)
            var body = try JSON(parsing: answer.body).objectValue ?? JSONObject()
            let calls: [JSON?] = ["created", "updated"]
            let responses = (body["methodResponses"]?.arrayValue ?? []).map { (response: JSON) -> JSON in
                guard let parts = response.arrayValue, let call = parts.last, calls.contains(call) else {
                    return response
                }
                return ["error", ["type": "invalidArguments", "description": "/ids/0 has to be an id"], call]
            }
            body["methodResponses"] = .array(responses)
            answer.body = JSON.object(body).utf8
            return answer
        }
        server.setSettings(InboxSettings(title: "New"), surface: "a")
        server.setSettings(InboxSettings(title: "B"), surface: "b.c")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "New")
        #expect(try await phone.inbox.settings(surface: "b.c")?.title == "B")
        let before = bodies(phone).count
        try await phone.inbox.sync()
        #expect(bodies(phone).count == before + 1, "without news, as with other servers")
        server.removeSettings(surface: "b.c")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "b.c") == nil)
    }

    @Test func `failed settings throw an error, and the messages still arrive`() async throws {
        server.failSurfaces(with: ScriptedError("serverFail"))
        server.deliver(.at(0, "m"))
        let phone = try await Device(server)
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .serverError)
        #expect(try await phone.ids() == ["m"])
        server.failSurfaces(with: nil)
        server.setSettings(InboxSettings(title: "News"), surface: "a")
        try await phone.inbox.sync()
        #expect(try await phone.inbox.settings(surface: "a")?.title == "News")
    }

    @Test func `a sign-out ends settings observers and deletes the settings`() async throws {
        server.setSettings(InboxSettings(title: "News"), surface: "a")
        let phone = try await phone()
        var settings = phone.inbox.observeSettings(surface: "a").makeAsyncIterator()
        _ = await settings.next()
        try await phone.inbox.signOut()
        #expect(await settings.next() == nil)
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.settings(surface: "a") }
        #expect(error?.code == .closed)
        let next = try await Device(server, directory: phone.directory)
        #expect(try await next.inbox.settings(surface: "a") == nil)
    }

    @Test func `clearing the messages keeps the settings`() async throws {
        server.setSettings(InboxSettings(title: "News"), surface: "a")
        server.deliver(.at(0, "m"))
        let phone = try await phone()
        try await phone.inbox.clearAll()
        #expect(try await phone.ids() == [])
        #expect(try await phone.inbox.settings(surface: "a")?.title == "News")
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m"])
    }

    @Test func `the largest limit of all surfaces applies, unless the app sets its own`() async throws {
        server.setSettings(InboxSettings(deviceLimit: .atMost(8), newDeviceLimit: .atMost(3)), surface: "a")
        server.setSettings(InboxSettings(deviceLimit: .atMost(6), newDeviceLimit: .atMost(5)), surface: "b")
        for number in 10..<80 { server.deliver(.at(Double(number), "m\(number)")) }
        let (phone, tablet) = (try await phone(), try await phone { $0.newDeviceLimit = .newest(7) })
        #expect(try await phone.ids().count == 5, "after the first sync")
        #expect(try await tablet.ids().count == 7)
        for number in 80..<90 { server.deliver(.at(Double(number), "m\(number)")) }
        try await phone.inbox.sync()
        #expect(try await phone.ids() == (82..<90).reversed().map { "m\($0)" })
        server.setSettings(InboxSettings(deviceLimit: .all), surface: "b")
        try await phone.inbox.sync()
        for number in 90..<99 { server.deliver(.at(Double(number), "m\(number)")) }
        try await phone.inbox.sync()
        #expect(try await phone.ids().count == 50, "as many as a new device")
    }

    @Test func `the device limit evicts messages and no settings`() async throws {
        for number in 0..<5 { server.setSettings(InboxSettings(title: "\(number)"), surface: "s\(number)") }
        for number in 0..<5 { server.deliver(.at(Double(number), "m\(number)")) }
        let phone = try await phone { $0.deviceLimit = .newest(2) }
        #expect(try await phone.ids().count == 2)
        for number in 0..<5 { #expect(try await phone.inbox.settings(surface: "s\(number)")?.title == "\(number)") }
    }
}
