import BloomreachCompatibility
import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

/// The statements of Bloomreach's document about the screen with the list.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct AppInboxListTests {
    private func row(_ message: Message, style: AppInboxStyle = AppInboxStyle()) async throws -> AppInboxRow {
        let list = try await AppInboxDevice([message], style: style).shownList()
        return try #require(list.row(at: 0))
    }

    /// Refreshes a list until a condition is met: a refresh joins the one that is under way.
    private func refreshed(_ list: AppInboxListModel, until condition: () -> Bool) async throws -> Bool {
        try await eventually {
            await list.refresh()
            return condition()
        }
    }

    // MARK: - Rows

    @Test(.shows(.b06)) func `a row has a flag until its message is read`() async throws {
        let device = AppInboxDevice([message("a"), message("b", minutesAgo: 2) { $0.readAt = $0.deliverAt }])
        let list = try await device.shownList()
        #expect(list.row(at: 0)?.readFlag.isVisible == true && list.row(at: 0)?.isUnread == true)
        #expect(list.row(at: 1)?.readFlag.isVisible == false && list.row(at: 1)?.isUnread == false)
        #expect(list.row(at: 0)?.accessibilityLabel == "Unread, Title a, Body, 1 minute ago")
        #expect(list.row(at: 1)?.accessibilityLabel == "Title b, Body, 2 minutes ago")
        device.client.markAppInboxAsRead("a")
        #expect(try await eventually { list.row(at: 0)?.readFlag.isVisible == false })
    }

    @Test(.shows(.b07)) func `a row has the relative time, which follows the clock`() async throws {
        let device = AppInboxDevice([message("a", minutesAgo: 119), message("b", minutesAgo: 120)])
        let list = try await device.shownList()
        #expect(list.row(at: 0)?.receivedTime.text == "1 hour ago")
        #expect(list.row(at: 1)?.receivedTime.text == "2 hours ago")
        device.clock.advance(by: 60)
        #expect(try await eventually { list.row(at: 0)?.receivedTime.text == "2 hours ago" })
    }

    @Test(.shows(.b08, .b09)) func `a row has the title in one line and the text in two`() async throws {
        let long = String(repeating: "long ", count: 100)
        let row = try await row(message("a") { ($0.title, $0.body) = (long, long) })
        #expect(row.title.maximumLines == 1 && row.content.maximumLines == 2)
        #expect(row.title.text == long && row.content.text == long, "the view ends them, not the model")
    }

    @Test(.shows(.b10)) func `a row has a square picture if the message has one`() async throws {
        let device = AppInboxDevice([
            message("a") { $0.media = Media(url: "https://example.com/a.png", darkURL: "https://example.com/d.png") },
            message("b", minutesAgo: 2), message("c", minutesAgo: 3) { $0.media = Media(icon: "star") },
            message("d", minutesAgo: 4) { $0.media = Media(bundle: "logo", alt: "Logo") },
            message("e", minutesAgo: 5) { $0.media = Media(url: "javascript:alert(1)") },
        ])
        let list = try await device.shownList()
        let pictures = (0..<5).map { list.row(at: $0)?.picture }
        #expect(pictures[0]?.source == .web(try #require(URL(string: "https://example.com/a.png"))))
        #expect(pictures[0]?.darkSource == .web(try #require(URL(string: "https://example.com/d.png"))))
        #expect(pictures[0]?.aspectRatio == 1 && pictures[0]?.isVisible == true)
        #expect(pictures[1] == nil, "no picture, no space for one")
        #expect(pictures[2]?.source == .symbol("star") && pictures[3]?.source == .bundle("logo"))
        #expect(pictures[3]?.alternativeText == "Logo" && pictures[0]?.alternativeText == nil)
        #expect(pictures[4]?.source == .placeholder)
    }

    @Test func `a picture is loaded once by the customer's inbox and available offline`() async throws {
        let requests = Locked(0)
        let device = AppInboxDevice([message("a") { $0.media = Media(url: "https://cdn.example.com/a.png") }])
        device.transport.answer { [server = device.server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            requests.withLock { $0 += 1 }
            return TransportResponse(status: 200, body: Array("GIF89a".utf8), url: request.url)
        }
        let list = try await device.shownList()
        func isShown() async throws -> Bool {
            let picture = try #require(list.row(at: 0)?.picture)
            let model = try #require(picture.makeModel())
            model.show("https://cdn.example.com/a.png", in: PictureDisplaySize(width: 72, height: 72))
            return try await eventually { if case .shown = model.state { true } else { false } }
        }
        #expect(try await isShown())
        device.disconnect()
        #expect(try await isShown())
        #expect(requests.withLock { $0 } == 1)
        device.client.anonymize()
        #expect(list.row(at: 0) == nil)
    }

    @Test func `a message without anything has the default title`() async throws {
        let row = try await row(message("a") { ($0.title, $0.body) = ("", "") })
        #expect(row.title.text == "Message" && row.content.text.isEmpty && row.picture == nil)
        #expect(row.accessibilityLabel == "Unread, Message, 1 minute ago")
    }

    @Test(.shows(.b23)) func `a style changes each part of a row and the list`() async throws {
        let style = try AppInboxStyle(
            json: Data(
                """
                {"listView": {"list": {"backgroundColor": "white", "item": {
                  "backgroundColor": "#010203", "readFlag": {"visible": false, "backgroundColor": "red"},
                  "receivedTime": {"visible": false}, "title": {"textColor": "#fff", "textSize": "20sp"},
                  "content": {"textWeight": "600", "textOverride": "Text"}, "image": {"visible": false}
                }}}}
                """.utf8
            )
        )
        let device = AppInboxDevice(
            [message("a") { $0.media = Media(url: "https://example.com/a.png") }],
            style: style
        )
        let list = try await device.shownList()
        let row = try #require(list.row(at: 0))
        #expect(list.backgroundColor == AppInboxColor(red: 255, green: 255, blue: 255))
        #expect(row.backgroundColor == AppInboxColor(red: 1, green: 2, blue: 3))
        #expect(!row.readFlag.isVisible && row.readFlag.color == AppInboxColor(red: 255, green: 0, blue: 0))
        #expect(!row.receivedTime.isVisible && row.title.isVisible && row.picture?.isVisible == false)
        #expect(row.title.size == 20 && row.title.color == AppInboxColor(red: 255, green: 255, blue: 255))
        #expect(row.accessibilityLabel == "Unread, Title a, Text", "the time isn't shown")
        #expect(row.content.weight == .semibold && row.content.text == "Text" && row.title.text == "Title a")
    }

    // MARK: - States

    @Test(.shows(.b11, .b12)) func `a list loads, then is empty, then has messages`() async throws {
        let device = AppInboxDevice()
        let gate = Gate()
        device.transport.answer { [server = device.server] request in
            await gate.wait()
            return server.answer(request)
        }
        let list = try device.list()
        #expect(list.content == .loading && list.status?.progress != nil && list.status?.title == nil)
        #expect(list.title == "AppInbox" && list.count == 0 && list.row(at: 0) == nil)
        await gate.open()
        #expect(try await eventually { list.content == .empty })
        #expect(list.status?.progress == nil && list.status?.title?.text == "Empty Inbox")
        #expect(list.status?.message?.text == "You have no messages yet.")
        device.server.deliver(message("a"))
        #expect(try await refreshed(list) { list.content == .messages && list.count == 1 })
        #expect(list.status == nil)
    }

    @Test(.shows(.b13)) func `a list that can't be loaded has the error's texts until a refresh succeeds`() async throws
    {
        let device = AppInboxDevice([message("a")])
        device.disconnect()
        let list = try await device.shownList()
        #expect(list.content == .failed && list.status?.progress == nil)
        #expect(list.status?.title?.text == "Something went wrong :(")
        #expect(list.status?.message?.text == "We could not retrieve your messages.")
        device.reconnect()
        await list.refresh()
        #expect(try await eventually { list.content == .messages })
    }

    @Test func `offline, the messages on the device are shown`() async throws {
        let device = AppInboxDevice([message("a")])
        _ = try await device.shownList()
        device.disconnect()
        let list = try await device.shownList()
        #expect(list.content == .messages && list.count == 1)
    }

    @Test(.shows(.b13)) func `without a customer or a configuration the list has the error's texts`() async throws {
        let device = AppInboxDevice([message("a")], isStarted: false)
        let list = try await device.shownList()
        #expect(list.content == .failed)
        device.start(identifies: false)
        #expect(try await eventually { list.content == .failed })
        device.client.identifyCustomer(customerIds: ["registered": "alice"])
        #expect(try await eventually { list.content == .messages })
    }

    @Test(.shows(.b11, .b12, .b13, .b19, .b23)) func `the texts of the states can be styled and replaced`() async throws
    {
        let style = AppInboxStyle(
            listView: ListScreenStyle(
                emptyTitle: TextViewStyle(textColor: "red", textOverride: "Nothing"),
                errorMessage: TextViewStyle(visible: false),
                progress: ProgressBarStyle(progressColor: "gold")
            )
        )
        let device = AppInboxDevice(
            style: style,
            texts: [
                "exponea.inbox.title": "Post", "exponea.inbox.emptyTitle": "Leer",
                "exponea.inbox.emptyMessage": "Keine Post", "exponea.inbox.errorTitle": "Fehler",
            ]
        )
        let list = try device.list()
        #expect(list.title == "Post")
        #expect(list.status?.progress?.color == AppInboxColor(red: 255, green: 215, blue: 0))
        #expect(try await eventually { list.content == .empty })
        #expect(list.status?.title?.text == "Nothing", "the style comes before the app's texts")
        #expect(list.status?.title?.color == AppInboxColor(red: 255, green: 0, blue: 0))
        #expect(list.status?.message?.text == "Keine Post")
        device.client.anonymize()
        #expect(try await eventually { list.content == .failed })
        #expect(list.status?.title?.text == "Fehler" && list.status?.message?.isVisible == false)
    }

    // MARK: - Taps

    @Test(.shows(.b14, .b37))
    func `a tap tracks the opening, marks as read and opens the message`() async throws {
        let device = AppInboxDevice([message("a"), message("b", minutesAgo: 2)])
        let list = try await device.shownList()
        var screens: [AppInboxScreen] = []
        list.onOpen = { screens.append($0) }
        list.tap(at: 1)
        #expect(screens.count == 1, "the screen doesn't wait for the store")
        #expect((screens.first as? AppInboxDetailModel)?.messageID == "b")
        #expect(try await device.events() == ["opened b"])
        #expect(await device.isRead("b") == true)
        #expect(await device.isRead("a") == false)
        list.tap(at: 2)
        list.tap(at: -1)
        #expect(screens.count == 1)
    }

    @Test func `a tap on a row that has moved meanwhile opens its own message`() async throws {
        let device = AppInboxDevice([message("a", minutesAgo: 2)])
        let list = try await device.shownList()
        let tapped = list.ids
        device.server.deliver(message("b"))
        #expect(try await refreshed(list) { list.ids == ["b", "a"] })
        var screens: [AppInboxScreen] = []
        list.onOpen = { screens.append($0) }
        list.tap(tapped[0])
        list.tap("gone")
        #expect(screens.map { ($0 as? AppInboxDetailModel)?.messageID } == ["a"])
        #expect(try await device.events() == ["opened a"])
    }

    @Test(.shows(.b18, .b39)) func `without consent a tap marks as read, and tracks nothing`() async throws {
        let device = AppInboxDevice([message("a") { $0.consentCategory = "ads" }, message("b", minutesAgo: 2)])
        let list = try await device.shownList()
        list.tap(at: 0)
        list.tap(at: 1)
        #expect(try await device.events() == ["opened b"])
        #expect(await device.isRead("a") == true)
    }

    @Test(.shows(.b23)) func `the action of a tap can be replaced`() async throws {
        let device = AppInboxDevice([message("a"), message("b", minutesAgo: 2) { $0.consentCategory = "ads" }])
        var tapped: [String] = []
        let screen = device.client.getAppInboxListViewController { item, index in
            tapped.append("\(item.id) \(index) \(item.hasTrackingConsent)")
        }
        let list = try #require(screen as? AppInboxListModel)
        var screens = 0
        list.onOpen = { _ in screens += 1 }
        #expect(try await eventually { list.content == .messages })
        list.tap(at: 1)
        #expect(try await eventually { tapped == ["b 1 false"] })
        list.tap(at: 0)
        #expect(try await eventually { tapped == ["b 1 false", "a 0 true"] })
        #expect(try await device.events().isEmpty, "the app tracks the opening itself")
        #expect(await device.isRead("a") == true)
        #expect(await device.isRead("b") == true)
        #expect(screens == 0)
        list.onItemClickedOverride = nil
        list.tap(at: 0)
        #expect(screens == 1)
        #expect(try await device.events() == ["opened a"])
    }

    @Test(.shows(.b14)) func `a tap while offline is kept, and sent later once`() async throws {
        let device = AppInboxDevice([message("a")])
        let list = try await device.shownList()
        device.disconnect()
        list.tap(at: 0)
        await device.client.lastTracking.withLock { $0 }?.value
        #expect(try await eventually { list.row(at: 0)?.isUnread == false })
        #expect(device.server.events.isEmpty)
        device.reconnect()
        #expect(try await device.events() == ["opened a"])
        #expect(try await device.events() == ["opened a"])
    }

    // MARK: - Other customers

    @Test func `anonymizing empties the open list`() async throws {
        let device = AppInboxDevice([message("a")])
        let list = try await device.shownList()
        var (screens, tapped) = (0, 0)
        list.onOpen = { _ in screens += 1 }
        device.client.anonymize()
        #expect(list.content == .loading && list.count == 0 && list.row(at: 0) == nil)
        list.tap(at: 0)
        #expect(screens == 0)
        #expect(try await eventually { list.content == .failed })
        device.client.identifyCustomer(customerIds: ["registered": "alice"])
        #expect(try await eventually { list.content == .messages && list.count == 1 })
        // A tap whose customer leaves at once calls nothing.
        list.onItemClickedOverride = { _, _ in tapped += 1 }
        list.tap(at: 0)
        device.client.anonymize()
        #expect(try await eventually { list.content == .failed })
        #expect(tapped == 0 && device.server.events.isEmpty)
    }

    @Test func `identifying the same customer again empties the open list, then fills it`() async throws {
        let device = AppInboxDevice([message("a")])
        let list = try await device.shownList()
        device.disconnect()
        device.client.identifyCustomer(customerIds: ["registered": "alice"])
        #expect(list.count == 0 && list.content == .loading)
        #expect(try await eventually { list.content == .failed })
        device.reconnect()
        await list.refresh()
        #expect(try await eventually { list.content == .messages && list.count == 1 })
        // Ids without the hard id empty it too, and leave the customer.
        device.client.identifyCustomer(customerIds: ["cookie": "c"])
        #expect(list.count == 0)
        #expect(try await eventually { list.content == .messages && list.count == 1 })
    }

    @Test func `a recalled message leaves the open list, and a tap on its place does nothing`() async throws {
        let device = AppInboxDevice([message("a")])
        let list = try await device.shownList()
        device.server.recall("a")
        #expect(try await refreshed(list) { list.content == .empty })
        list.tap(at: 0)
        #expect(try await device.events().isEmpty)
    }

    @Test func `texts from right to left stay as they are, with times in the app's language`() async throws {
        let device = AppInboxDevice(
            [message("a", minutesAgo: 120) { ($0.title, $0.body) = ("שלום Sale 50%", "مرحبا\u{202E}abc") }],
            languages: ["he-IL"]
        )
        let row = try #require(try await device.shownList().row(at: 0))
        #expect(row.title.text == "שלום Sale 50%" && row.content.text == "مرحبا\u{202E}abc")
        #expect(row.receivedTime.text.contains("שעתיים"), "\(row.receivedTime.text)")
        let button = try #require(device.client.getAppInboxButton())
        #expect(button.look.title == "Inbox", "the eight texts are English until the app has its own")
    }

    // MARK: - Many messages

    @Test func `of 10,000 messages, those near the screen are read`() async throws {
        let device = AppInboxDevice((1...10_000).map { message("m\($0)", minutesAgo: Double($0)) })
        let list = try await device.shownList()
        #expect(try await eventually { list.count == 50 })
        list.willShow(39)
        #expect(list.count == 50)
        list.willShow(40)
        #expect(try await eventually { list.count == 100 })
        #expect(list.row(at: 99)?.id == "m100" && list.row(at: 100) == nil)
    }
}
