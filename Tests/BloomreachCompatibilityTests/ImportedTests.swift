import BloomreachCompatibility
import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import RunningServer
import Testing

/// Messages imported from Bloomreach, on a device.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ImportedTests {
    // MARK: - Buttons

    @Test(.shows(.b16, .b17))
    func `an imported web address is opened by the system, a deep link by the app`() async throws {
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

    @Test(.shows(.b16, .b19, .b24))
    func `the main action of an imported push is the main button, with the app's own text`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server, texts: ["exponea.inbox.mainActionTitle": "Mehr"])
            let actions = (1...4).map { number -> JSON in
                ["action": "deeplink", "title": .string("\(number)"), "url": .string("myapp://\(number)")]
            }
            try await device.importMessages(
                push([
                    "title": "T", "action": "browser", "url": "https://shop.example/sale", "actions": .array(actions),
                ])
            )
            let (model, detail) = try await device.shownDetail(device.onlyItem().id)
            #expect(detail.buttons.map(\.look.title) == ["1", "2", "3", "4"])
            let main = try #require(detail.mainButton)
            #expect(main.look.title == "Mehr" && main.action.type == .browser)
            model.tap(main)
            #expect(try await eventually { device.opened == ["browser https://shop.example/sale"] })
            let events = try await device.events()
            #expect(events.map { $0["action"]?.stringValue } == ["main"])
            #expect(events.first?["data"]?["cta"] == "Mehr")
        }
    }

    @Test func `a main action that the backend has edited keeps its own text`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            let action: JSON = ["id": "main", "text": "Buy", "type": "deeplink", "link": "myapp://buy"]
            let edited = try await server.send(to: "alice", ["title": "T", "actions": [action]])
            let detail = try await device.shownDetail(edited).1
            #expect(detail.mainButton?.look.title == "Buy" && detail.buttons.isEmpty)
            let linked = try await server.send(
                to: "alice",
                ["title": "T", "link": "https://shop.example", "actions": [action]]
            )
            _ = try await device.fetch()
            let both = try await device.shownDetail(linked).1
            #expect(both.mainButton?.look.title == "See more" && both.buttons.map(\.look.title) == ["Buy"])
        }
    }

    // MARK: - Items

    @Test func `an item has the types and URLs of imported actions`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            let actions: JSON = [
                ["action": "deep-link", "title": "Universal", "url": "https://shop.example/cart"],
                ["action": "deeplink", "title": "Deep", "url": "https://shop.example/sale"],
                ["action": "app", "title": "App", "url": "https://shop.example/app"],
                ["action": "call", "title": "Call", "url": "tel:1"], ["action": "browser", "title": "Nowhere"],
                ["title": "None"],
            ]
            try await device.importMessages(push(["title": "T", "actions": actions]))
            let item = try await device.onlyItem()
            let read = try #require(item.content?.actions)
            #expect(read.map(\.title) == ["Universal", "Deep", "App", "Call", "Nowhere", "None"])
            #expect(read.map(\.type) == [.deeplink, .deeplink, .app, .noAction, .browser, .app])
            #expect(read.map(\.action) == ["deep-link", "deeplink", "app", "call", "browser", "app"])
            #expect(
                read.map(\.url) == [
                    "https://shop.example/cart", "https://shop.example/sale", "https://shop.example/app", "tel:1",
                    nil, nil,
                ]
            )
            // Only what opens something has a button.
            let (model, detail) = try await device.shownDetail(item.id)
            #expect(detail.buttons.map(\.look.title) == ["Universal", "Deep"])
            for button in detail.buttons { model.tap(button) }
            #expect(
                try await eventually {
                    device.opened == ["browser https://shop.example/cart", "browser https://shop.example/sale"]
                }
            )
        }
    }

    @Test func `an item of an imported page has the actions of its HTML`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            let page = """
                <p>Hi</p><a href='https://shop.example/a' data-actiontype='deep-link'>Go</a>\
                <div data-link='https://shop.example/b'>There</div><a href='#' data-actiontype='close'>X</a>
                """
            let content: JSON = ["title": "T", "pre_header": "P", "message": .string(page)]
            try await device.importMessages(["id": "1", "type": "html", "content": content])
            let item = try await device.onlyItem()
            #expect(item.type == "html" && item.content?.html == page && item.content?.message == "P")
            let actions = try #require(item.content?.actions)
            #expect(actions.map(\.type) == [.browser, .deeplink] && actions.map(\.title) == ["There", "Go"])
            #expect(actions.map(\.url) == ["https://shop.example/b", "https://shop.example/a"])
            device.client.trackAppInboxClick(action: actions[1], message: item)
            #expect(try await device.events().first?["action"] == "https://shop.example/a")
        }
    }

    @Test func `an imported page that is empty is a page`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            try await device.importMessages(["id": "1", "type": "html", "content": ["title": "T", "message": ""]])
            let item = try await device.onlyItem()
            #expect(item.type == "html" && item.content?.html == nil && item.content?.actions == nil)
        }
    }

    // MARK: - Consent

    @Test(.shows(.b39)) func `an imported message without consent or category has no category`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            try await device.importMessages(push(["title": "T", "has_tracking_consent": false]))
            let item = try await device.onlyItem()
            #expect(!item.hasTrackingConsent && item.content?.consentCategoryTracking == nil)
            device.client.trackAppInboxOpened(message: item)
            #expect(try await device.events().isEmpty)
            try await device.importMessages(
                push(["title": "T", "has_tracking_consent": false, "consent_category_tracking": "ads"], id: "1"),
                push(["title": "T", "consent_category_tracking": "news"], id: "2")
            )
            let categories = try await device.fetch().map(\.content?.consentCategoryTracking)
            #expect(Set(categories) == [nil, "ads", "news"])
        }
    }

    @Test(.shows(.b40, .b43), arguments: [TrackingConsent.given, .notDetermined])
    func `an event regardless of consent is marked as forced only without consent`(consent: TrackingConsent)
        async throws
    {
        try await RunningServer.run { server in
            let device = ImportedDevice(server, consent: consent)
            let forcing = "https://shop.example/?xnpe_force_track"
            let actions: JSON = [
                ["action": "browser", "title": "Web", "url": "https://shop.example/web"],
                ["action": "browser", "title": "Forced", "url": .string(forcing)],
            ]
            let content: JSON = [
                "title": "T", "has_tracking_consent": false, "consent_category_tracking": "ads", "actions": actions,
            ]
            try await device.importMessages(push(content))
            let item = try await device.onlyItem()
            #expect(item.hasTrackingConsent == (consent == .given))
            device.client.trackAppInboxOpenedWithoutTrackingConsent(message: item)
            for action in try #require(item.content?.actions) {
                device.client.trackAppInboxClickWithoutTrackingConsent(action: action, message: item)
            }
            let events = try await device.events()
            let marked = events.filter { $0["data"]?["tracking_forced"] == true }
            #expect(events.count == 3)
            #expect(marked.count == (consent == .given ? 1 : 3))
            #expect(marked.contains { $0["data"]?["url"]?.stringValue == forcing })
        }
    }

    // MARK: - Bloomreach's ids

    @Test(.shows(.b32, .b35)) func `an imported message is found by Bloomreach's id`() async throws {
        try await RunningServer.run { server in
            let device = ImportedDevice(server)
            let action: JSON = ["action": "deeplink", "title": "Deep", "url": "myapp://deep"]
            try await device.importMessages(push(["title": "T", "actions": [action]]), push(["title": "U"], id: "1"))
            // Before any fetch, as a deep link may come.
            let (model, detail) = try await device.shownDetail("0703")
            #expect(model.messageID == "0703" && detail.title.text == "T")
            let item = try #require(await device.item("0703"))
            #expect(item.id != "0703" && item.content?.title == "T")
            #expect(try await device.fetch().map(\.read) == [false, false])
            #expect(await device.markRead("0703"))
            #expect(await device.item(item.id)?.read == true)
            #expect(await device.item("unknown") == nil)
            // An item that the app has stored before the move.
            let stored = try JSONDecoder().decode(MessageItem.self, from: Data(#"{"id":"0703","type":"push"}"#.utf8))
            device.client.trackAppInboxOpened(message: stored)
            let events = try await device.events()
            #expect(events.map { $0["message"]?.stringValue } == [item.id])
            model.tap(try #require(detail.buttons.first))
            #expect(try await eventually { device.opened == ["app myapp://deep"] })
        }
    }
}
