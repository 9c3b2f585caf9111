import BloomreachCompatibility
import Coverage
import Eventually
import Groundwork
import RunningServer
import Testing

/// Messages imported from Bloomreach, on a device.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ImportedTests {
    // MARK: - Buttons

    @Test(.shows(.b16, .b17))
    func `a web address of an imported message is opened by the system, a deep link by the app`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            let actions: JSON = [
                ["action": "browser", "title": "Web", "url": "https://shop.example/web"],
                ["action": "deeplink", "title": "Deep", "url": "myapp://deep"],
            ]
            try await device.importMessages(push(["title": "T", "actions": actions]))
            let (model, detail) = try await device.shownDetail(device.onlyItem().id)
            #expect(detail.buttons.map(\.look.title) == ["Web", "Deep"])
            for button in detail.buttons { model.tap(button) }
            #expect(try await eventually { device.opened == ["browser https://shop.example/web", "app myapp://deep"] })
            #expect(try await Set(device.events().map { $0["action"]?.stringValue }) == ["1", "2"])
        }
    }

    @Test func `a message that an earlier version imported is opened by the system too`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            let action: JSON = [
                "id": "1", "text": "Web", "type": "browser", "link": "https://shop.example/web",
                "actionType": "webBrowser",
            ]
            let id = try await server.send(to: "alice", ["title": "T", "actions": [action]])
            let (model, detail) = try await device.shownDetail(id)
            for button in detail.buttons { model.tap(button) }
            #expect(try await eventually { device.opened == ["browser https://shop.example/web"] })
        }
    }
}
