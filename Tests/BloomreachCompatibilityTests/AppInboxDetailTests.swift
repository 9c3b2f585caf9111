import BloomreachCompatibility
import Coverage
import Eventually
import Foundation
import Groundwork
import HTMLViews
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// The statements of Bloomreach's document about the screen of a message.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct AppInboxDetailTests {
    private static let actions = [
        MessageAction(id: "web", text: "Web", link: "https://example.com/shoes"),
        MessageAction(id: "app", text: "App"),
        MessageAction(id: "deep", text: "Deep", link: "myapp://sale"),
        MessageAction(id: "code", text: "Code", link: "javascript:alert(1)"),
        MessageAction(id: "new", text: "New", link: "https://example.com/new", actionType: .other("hologram")),
        MessageAction(id: "bad", text: "Bad", link: "not a link"),
    ]

    private func detail(_ device: AppInboxDevice) async throws -> AppInboxDetail {
        try await device.shownDetail("a").1
    }

    // MARK: - Parts

    @Test(.shows(.b15)) func `a message has a large picture, the time, the whole title and the whole text`()
        async throws
    {
        let long = String(repeating: "long ", count: 100)
        let device = AppInboxDevice([
            message("a", minutesAgo: 120) {
                ($0.title, $0.body) = ("Title " + long, long)
                $0.media = Media(url: "https://example.com/a.png", alt: "Shoes")
            }
        ])
        let (model, detail) = try await device.shownDetail("a")
        #expect(detail.picture.source == .web(try #require(URL(string: "https://example.com/a.png"))))
        #expect(detail.picture.aspectRatio == 1 && detail.picture.alternativeText == "Shoes")
        #expect(detail.receivedTime.text == "2 hours ago" && model.title.isEmpty)
        #expect(detail.title.text == "Title " + long && detail.title.maximumLines == 0)
        #expect(detail.content.text == long && detail.content.maximumLines == 0)
        device.clock.advance(by: 3_600)
        #expect(try await eventually { model.detail?.receivedTime.text == "3 hours ago" })
    }

    @Test(.shows(.b15)) func `without a picture there is a placeholder`() async throws {
        let detail = try await detail(AppInboxDevice([message("a") { ($0.title, $0.body) = ("", "") }]))
        #expect(detail.picture.source == .placeholder && detail.picture.darkSource == .placeholder)
        #expect(detail.picture.isVisible && detail.picture.aspectRatio == 1)
        #expect(detail.title.text == "Message" && detail.mainButton == nil && detail.buttons.isEmpty)
    }

    @Test(.shows(.b25)) func `the space above the picture is 56, or any other`() async throws {
        let device = AppInboxDevice(isStarted: false)
        #expect(try device.detail("a").imageInset == 56)
        device.start(imageInset: 0)
        let model = try device.detail("a")
        #expect(model.imageInset == 0)
        model.imageInset = 12.5
        #expect(model.imageInset == 12.5)
        model.imageInset = -3
        #expect(model.imageInset == 0)
        model.imageInset = .nan
        #expect(model.imageInset == 56)
        let other = AppInboxDevice(isStarted: false)
        other.start(imageInset: -.infinity)
        #expect(try other.detail("a").imageInset == 56)
    }

    // MARK: - Buttons

    @Test(.shows(.b16)) func `each action with a target has a button, one that only opens the app hasn't`() async throws
    {
        let device = AppInboxDevice([message("a") { $0.actions = Self.actions }])
        let detail = try await detail(device)
        #expect(detail.buttons.map(\.look.title) == ["Web", "Deep", "New"])
        #expect(detail.buttons.map(\.action.type) == [.browser, .deeplink, .browser])
        #expect(detail.mainButton == nil)
    }

    @Test(.shows(.b16)) func `more than four actions have a button each, and so has the message's own link`()
        async throws
    {
        let actions = (1...7).map { MessageAction(id: "\($0)", text: $0 == 7 ? "" : "\($0)", link: "myapp://\($0)") }
        let device = AppInboxDevice([message("a") { ($0.actions, $0.link) = (actions, "https://example.com") }])
        let detail = try await detail(device)
        #expect(detail.buttons.map(\.look.title) == ["1", "2", "3", "4", "5", "6", "See more"])
        #expect(detail.mainButton?.look.title == "See more" && detail.mainButton?.action.type == .browser)
        let refused = AppInboxDevice([message("a") { $0.link = "javascript:alert(1)" }])
        #expect(try await self.detail(refused).mainButton == nil)
    }

    @Test(.shows(.b17, .b37)) func `a tap on a button tracks the click and opens the link`() async throws {
        let device = AppInboxDevice([message("a") { ($0.actions, $0.link) = (Self.actions, "myapp://own") }])
        let (model, detail) = try await device.shownDetail("a")
        #expect(try await device.events().isEmpty, "the list tracks the opening")
        for button in detail.buttons { model.tap(button) }
        if let main = detail.mainButton { model.tap(main) }
        #expect(
            try await eventually {
                device.opened == [
                    "browser https://example.com/shoes", "app myapp://sale", "browser https://example.com/new",
                    "app myapp://own",
                ]
            }
        )
        #expect(
            try await device.events() == ["clicked a web", "clicked a deep", "clicked a new", "clicked a myapp://own"]
        )
        #expect(device.server.events.first?.data["cta"] == .string("Web"))
        #expect(device.server.events.first?.data["url"] == .string("https://example.com/shoes"))
        #expect(await device.isRead("a") == true)
    }

    @Test(.shows(.b18)) func `without consent a link is opened, and only a forced click is tracked`() async throws {
        let forced = MessageAction(id: "forced", text: "F", link: "https://example.com/?xnpe_force_track=1")
        let device = AppInboxDevice([
            message("a") { ($0.consentCategory, $0.actions) = ("ads", [Self.actions[0], forced]) }
        ])
        let (model, detail) = try await device.shownDetail("a")
        for button in detail.buttons { model.tap(button) }
        #expect(try await eventually { device.opened.count == 2 })
        #expect(try await device.events() == ["clicked a forced"])
    }

    @Test(.shows(.b17)) func `offline a tap opens the link, and the click is sent later once`() async throws {
        let device = AppInboxDevice([message("a") { $0.actions = Self.actions }])
        let (model, detail) = try await device.shownDetail("a")
        device.disconnect()
        model.tap(detail.buttons[0])
        #expect(try await eventually { device.opened == ["browser https://example.com/shoes"] })
        await device.client.lastTracking.withLock { $0 }?.value
        #expect(device.server.events.isEmpty)
        device.reconnect()
        #expect(try await device.events() == ["clicked a web"])
    }

    @Test func `offline, a message that isn't on the device is asked for once`() async throws {
        let device = AppInboxDevice([message("a")])
        // The session is known.
        try await device.settle()
        device.server.deliver(message("b"))
        device.disconnect()
        let model = try device.detail("b")
        #expect(try await eventually { if case .failed = model.content { true } else { false } })
        let requests = device.transport.requests.filter { request in
            request.body.map { String(decoding: $0, as: UTF8.self).contains("\"b\"") } ?? false
        }
        #expect(requests.count <= 1)
        device.reconnect()
        model.retry()
        #expect(try await eventually { model.detail?.title.text == "Title b" })
    }

    @Test(.shows(.b24)) func `a style changes each part of a message`() async throws {
        let style = try AppInboxStyle(
            json: Data(
                """
                {"detailView": {
                  "title": {"textSize": "32px", "textColor": "rgb(1, 2, 3)"}, "content": {"visible": false},
                  "receivedTime": {"textWeight": "bold"}, "image": {"visible": false, "backgroundColor": "argb(0.5, 1, 2, 3)"},
                  "button": {"textColor": "black", "backgroundColor": "#ffd500", "borderRadius": "4dp", "enabled": false}
                }}
                """.utf8
            )
        )
        let device = AppInboxDevice(
            [message("a") { ($0.actions, $0.link) = (Self.actions, "myapp://x") }],
            style: style
        )
        let detail = try await detail(device)
        #expect(detail.title.size == 32 && detail.title.color == AppInboxColor(red: 1, green: 2, blue: 3))
        #expect(!detail.content.isVisible && detail.receivedTime.weight == .bold && !detail.picture.isVisible)
        #expect(detail.picture.backgroundColor == AppInboxColor(red: 1, green: 2, blue: 3, alpha: 0.5))
        let looks = detail.buttons.map(\.look) + [try #require(detail.mainButton?.look)]
        #expect(looks.count == 4)
        for look in looks {
            #expect(look.backgroundColor == AppInboxColor(red: 255, green: 213, blue: 0) && look.cornerRadius == 4)
            #expect(look.textColor == AppInboxColor(red: 0, green: 0, blue: 0) && !look.isEnabled && !look.showsIcon)
        }
    }

    @Test(.shows(.b19)) func `the texts of a message can be replaced`() async throws {
        let device = AppInboxDevice(
            [message("a") { ($0.title, $0.link) = ("", "https://example.com") }],
            texts: ["exponea.inbox.defaultTitle": "Nachricht", "exponea.inbox.mainActionTitle": "Mehr"]
        )
        let (model, detail) = try await device.shownDetail("a")
        #expect(detail.title.text == "Nachricht" && model.title.isEmpty)
        #expect(detail.mainButton?.look.title == "Mehr")
        let unknown = try device.detail("unknown")
        #expect(try await eventually { unknown.title == "Nachricht" })
    }

    @Test func `the bar has the title only where the parts below don't show it`() async throws {
        let html = AppInboxDevice([message("a") { ($0.title, $0.html) = ("Spring", "<p>Hi</p>") }])
        let page = try html.detail("a")
        #expect(page.title.isEmpty)
        #expect(try await eventually { page.title == "Spring" })
        let hidden = try AppInboxStyle(json: Data(#"{"detailView": {"title": {"visible": false}}}"#.utf8))
        let device = AppInboxDevice([message("a") { $0.title = "Spring" }], style: hidden)
        #expect(try await device.shownDetail("a").0.title == "Spring")
    }

    // MARK: - HTML

    @Test(.shows(.b37)) func `a message in HTML has its own buttons, whose clicks are tracked`() async throws {
        let html = "<p>Hi</p><a href='https://example.com/x'>Go</a><div data-link='myapp://y'>There</div>"
        let device = AppInboxDevice([
            message("a") {
                $0.html = html
                $0.additionalData = ["attributes": #"{"campaign_id": "c1"}"#]
            }
        ])
        let model = try device.detail("a")
        var shown: MessageHTMLModel?
        #expect(
            try await eventually {
                if case .html(let html) = model.content { shown = html }
                return shown != nil
            }
        )
        #expect(model.detail == nil && model.status == nil)
        let page = try #require(shown)
        if case .html(let again) = model.content { #expect(again === page) }
        page.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { page.state.page != nil })
        try await page.clicked("https://example.com/x")
        try await page.clicked("myapp://y")
        #expect(device.opened == ["browser https://example.com/x", "app myapp://y"])
        #expect(try await device.events().count == 2)
        let data = try #require(device.server.events.first?.data)
        #expect(data["cta"] == .string("Go") && data["url"] == .string("https://example.com/x"))
        #expect(data["campaign_id"] == .string("c1") && data["status"] == .string("clicked"))
    }

    // MARK: - States

    @Test func `a message that was deleted, or never was, has the error's texts`() async throws {
        let device = AppInboxDevice([message("a")])
        let model = try device.detail("a")
        #expect(model.status?.progress != nil && model.title.isEmpty)
        #expect(try await eventually { model.detail != nil })
        let unknown = try device.detail("unknown")
        #expect(try await eventually { unknown.status?.title?.text == "Something went wrong :(" })
        device.server.recall("a")
        try await device.settle()
        #expect(try await eventually { model.status?.title?.text == "Something went wrong :(" })
    }

    @Test func `a message that couldn't be fetched is fetched again`() async throws {
        let device = AppInboxDevice([message("a")])
        device.disconnect()
        let model = try device.detail("a")
        #expect(try await eventually { model.status?.title != nil })
        device.reconnect()
        model.retry()
        #expect(try await eventually { model.detail != nil })
    }

    @Test func `anonymizing removes the open message and disables its buttons`() async throws {
        let device = AppInboxDevice([message("a") { $0.actions = Self.actions }])
        let (model, detail) = try await device.shownDetail("a")
        device.client.anonymize()
        #expect(model.detail == nil && !model.title.hasPrefix("Title"))
        model.tap(detail.buttons[0])
        #expect(try await eventually { model.status?.title != nil })
        #expect(device.opened.isEmpty && device.server.events.isEmpty)
        device.client.identifyCustomer(customerIds: ["registered": "alice"])
        #expect(try await eventually { model.detail != nil })
    }
}
