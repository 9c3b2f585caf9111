import BloomreachCompatibility
import Coverage
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@_spi(Running) import SafariServices
@testable import SwiftUI
@_spi(Running) import UIKit

/// Bloomreach's button, list and detail, used as a person does: their views are UIKit's.
@Suite(.timeLimit(.minutes(5)), .serialized) @MainActor
struct BloomreachControllerTests {
    private let device: BloomreachGallery.Device
    /// The screen of the app, over which the inbox is shown.
    private let app = UIViewController()

    init() throws {
        UITableView.cellMakers["MessageItemCell"] = { MessageItemCell(style: .default, reuseIdentifier: nil) }
        UIKit.UIApplication.shared.scenes = [UIWindowScene(showing: app)]
        UIKit.UIApplication.shared.opened = []
        device = try BloomreachGallery.Device(
            .list,
            [
                message("a", minutesAgo: 1) {
                    $0.title = "Shoes"
                    $0.link = "myapp://shoes"
                    $0.actions = [
                        MessageAction(id: "web", text: "Web", link: "https://shop.example/web"),
                        MessageAction(
                            id: "page",
                            text: "Page",
                            link: "https://shop.example/page",
                            actionType: .webBrowser
                        ),
                        MessageAction(id: "app", text: "App"),
                        MessageAction(id: "deep", text: "Deep", link: "myapp://deep"),
                    ]
                },
                message("b", minutesAgo: 2) {
                    $0.title = "Boots"
                    $0.actions = [
                        MessageAction(id: "own", text: "Own", type: "deeplink", link: "https://shop.example/cart"),
                        MessageAction(id: "web", text: "Web", type: "browser", link: "https://shop.example/web"),
                        MessageAction(
                            id: "other",
                            text: "Other",
                            type: "deep-link",
                            link: "https://other.example/cart"
                        ),
                    ]
                },
            ]
        )
    }

    private func waits(_ what: String, until condition: () -> Bool) async throws {
        try await BloomreachGallery.waits(what, until: condition)
    }

    /// Taps the button, and returns the list that is shown over the app.
    private func openList() async throws -> AppInboxListViewController {
        let button = try #require(device.client.getAppInboxButton())
        button.sendActions(for: .touchUpInside)
        let navigation = try #require(app.presentedViewController as? UINavigationController)
        let list = try #require(navigation.topViewController as? AppInboxListViewController)
        try await waits("the rows") { list.tableView.cells.count == 2 }
        return list
    }

    private func tapRow(_ row: Int, of list: AppInboxListViewController) {
        list.tableView.delegate?.tableView(list.tableView, didSelectRowAt: IndexPath(row: row, section: 0))
    }

    private func openDetail() async throws -> AppInboxDetailViewController {
        let list = try await openList()
        tapRow(0, of: list)
        let detail = try #require(list.navigationController?.topViewController as? AppInboxDetailViewController)
        try await waits("the message") { detail.messageTitle.text == "Shoes" }
        return detail
    }

    /// The events on the server: `opened a`, `clicked a web`.
    private func events(_ count: Int) async throws -> [String] {
        for _ in 0..<10_000 where device.server.events.count < count {
            try await device.fetch()
            try await Task.sleep(for: .milliseconds(5))
        }
        return device.server.events.map { event in
            [event.type.rawValue, event.message, event.action].compactMap { $0 }.joined(separator: " ")
        }
    }

    private func cell(_ row: Int, of list: AppInboxListViewController) -> MessageItemCell? {
        list.tableView.cells.indices.contains(row) ? list.tableView.cells[row] as? MessageItemCell : nil
    }

    @Test func `a tap on the button shows the list over the app, and its button closes it`() async throws {
        let list = try await openList()
        #expect(list.title == "AppInbox" && cell(0, of: list)?.titleLabel.text == "Shoes")
        let close = try #require(list.navigationItem.leftBarButtonItem)
        #expect(close.systemItem == .close)
        close.primaryAction?.run()
        #expect(app.presentedViewController == nil)
        // An app may show it itself.
        var shown: [UIViewController] = []
        device.client.appInboxPresenter = { shown.append($0) }
        device.client.getAppInboxButton()?.sendActions(for: .touchUpInside)
        #expect(shown.count == 1 && shown[0] is AppInboxListViewController && app.presentedViewController == nil)
    }

    @Test func `a tap on a row opens the message, which is read and tracked as opened`() async throws {
        let list = try await openList()
        #expect(cell(0, of: list)?.readFlag.isHidden == false)
        tapRow(0, of: list)
        // A second tap in quick succession opens nothing more.
        tapRow(1, of: list)
        let navigation = try #require(list.navigationController)
        #expect(navigation.viewControllers.count == 2)
        let detail = try #require(navigation.topViewController as? AppInboxDetailViewController)
        try await waits("the message") { detail.messageTitle.text == "Shoes" }
        #expect(!detail.pushContainer.isHidden && detail.htmlContainer.isHidden && detail.title == "")
        try await waits("the flag is gone") { cell(0, of: list)?.readFlag.isHidden == true }
        #expect(try await events(1).first == "opened a")
    }

    @Test func `the buttons of a message are tracked, and lead out of the app or within it`() async throws {
        let detail = try await openDetail()
        let buttons = [detail.action1, detail.action2, detail.action3]
        #expect(buttons.map(\.currentTitle) == ["Web", "Page", "Deep"] && buttons.allSatisfy { !$0.isHidden })
        #expect(detail.action4.isHidden && detail.actionMain.currentTitle == "See more")
        detail.action1.sendActions(for: .touchUpInside)
        try await waits("the browser") {
            UIKit.UIApplication.shared.opened.map(\.absoluteString).last?.hasSuffix("web") == true
        }
        detail.action3.sendActions(for: .touchUpInside)
        detail.actionMain.sendActions(for: .touchUpInside)
        try await waits("the app") { UIKit.UIApplication.shared.opened.count == 3 }
        #expect(
            UIKit.UIApplication.shared.opened.map(\.absoluteString)
                == ["https://shop.example/web", "myapp://deep", "myapp://shoes"]
        )
        // The page stays within the app, over the topmost screen.
        detail.action2.sendActions(for: .touchUpInside)
        let navigation = try #require(app.presentedViewController)
        try await waits("the page") { navigation.presentedViewController is SFSafariViewController }
        let page = navigation.presentedViewController as? SFSafariViewController
        #expect(page?.url.absoluteString == "https://shop.example/page" && UIKit.UIApplication.shared.opened.count == 3)
        let events = try await events(5)
        #expect(
            events == ["opened a", "clicked a web", "clicked a deep", "clicked a myapp://shoes", "clicked a page"]
        )
    }

    @Test func `a universal link of the app itself is for its delegate, others for the system`() async throws {
        final class Delegate: NSObject, UIApplicationDelegate {
            var continued: [String] = []
            func application(
                _ application: UIKit.UIApplication,
                continue userActivity: NSUserActivity,
                restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
            ) -> Bool {
                guard userActivity.activityType == NSUserActivityTypeBrowsingWeb else { return false }
                continued.append(userActivity.webpageURL?.absoluteString ?? "")
                return userActivity.webpageURL?.host() == "shop.example"
            }
        }
        let delegate = Delegate()
        UIKit.UIApplication.shared.delegate = delegate
        let list = try await openList()
        tapRow(1, of: list)
        let detail = try #require(list.navigationController?.topViewController as? AppInboxDetailViewController)
        try await waits("the message") { detail.messageTitle.text == "Boots" }
        let opened: () -> [String] = { UIKit.UIApplication.shared.opened.map(\.absoluteString) }
        detail.action1.sendActions(for: .touchUpInside)
        try await waits("the app's own") { delegate.continued == ["https://shop.example/cart"] }
        detail.action2.sendActions(for: .touchUpInside)
        try await waits("the page") { opened() == ["https://shop.example/web"] }
        detail.action3.sendActions(for: .touchUpInside)
        try await waits("another app's") { opened() == ["https://shop.example/web", "https://other.example/cart"] }
        #expect(delegate.continued == ["https://shop.example/cart", "https://other.example/cart"])
    }

    @Test func `without a screen of the app, a page is opened by the system`() async throws {
        let detail = try await openDetail()
        UIKit.UIApplication.shared.scenes = []
        detail.action2.sendActions(for: .touchUpInside)
        try await waits("the page") {
            UIKit.UIApplication.shared.opened.map(\.absoluteString) == ["https://shop.example/page"]
        }
    }

    @Test func `a provider's own parts are used, and its action on a row in place of the screen`() async throws {
        let provider = Provider(device.client)
        device.client.appInboxProvider = provider
        let button = try #require(device.client.getAppInboxButton())
        #expect(button.backgroundColor?.parts(isDark: false) == UIColor.red.parts(isDark: false))
        button.sendActions(for: .touchUpInside)
        let navigation = try #require(app.presentedViewController as? UINavigationController)
        let list = try #require(navigation.topViewController as? AppInboxListViewController)
        #expect(list.statusTitle.textColor.parts(isDark: false) == UIColor.red.parts(isDark: false))
        try await waits("the rows") { cell(0, of: list)?.titleLabel.text == "Shoes" }
        #expect(cell(0, of: list)?.titleLabel.textColor.parts(isDark: false) == UIColor.red.parts(isDark: false))
        tapRow(1, of: list)
        try await waits("the action") { !provider.clicked.isEmpty }
        #expect(provider.clicked == ["b 1"] && navigation.viewControllers.count == 1)
        // Read, as each tap makes it; tracking is the app's.
        try await waits("it is read") { cell(1, of: list)?.readFlag.isHidden == true }
        #expect(try await events(0).isEmpty)
        let detail = device.client.getAppInboxDetailViewController("a") as? AppInboxDetailViewController
        #expect(detail?.messageTitle.font.pointSize == 32 && detail?.action1.layer.cornerRadius == 4)
        try await waits("the message") { detail?.messageTitle.text == "Shoes" }
        #expect(detail?.messageTitle.font.pointSize == 32, "what the app has set stays")
    }

    @Test func `a pull fetches new messages`() async throws {
        let list = try await openList()
        device.server.deliver(message("c", minutesAgo: 0) { $0.title = "Hats" })
        list.tableView.refreshControl?.sendActions(for: .valueChanged)
        try await waits("the new row") { cell(0, of: list)?.titleLabel.text == "Hats" }
        #expect(list.tableView.cells.count == 3)
    }

    @Test func `a screen of a message that does not exist has the error's texts`() async throws {
        let screen = device.client.getAppInboxDetailViewController("unknown")
        let detail = try #require(screen as? AppInboxDetailViewController)
        detail.loadViewIfNeeded()
        try await waits("the error") { detail.title == "Message" && detail.pushContainer.isHidden }
        #expect(detail.htmlContainer.isHidden)
    }

    // MARK: - Natively

    @Test func `a native card shows a page within the app too`() async throws {
        let device = try await ScreenDevice(
            message("m1") {
                $0.actions = [
                    MessageAction(
                        id: "page",
                        text: "Page",
                        link: "https://shop.example/page",
                        actionType: .webBrowser
                    ),
                    MessageAction(id: "web", text: "Web", link: "https://shop.example/web"),
                ]
            },
            isSynced: true
        )
        let shown = try #require(try await device.inbox.message(id: "m1"))
        let person = Person(MessageCard(shown).shown(with: device.inbox))
        try await person.waits(for: "Page")
        try person.taps("Page")
        try await person.waits("the page") { app.presentedViewController is SFSafariViewController }
        #expect(person.opened.isEmpty)
        try person.taps("Web")
        try await person.waits("the browser") { person.opened == ["https://shop.example/web"] }
        UIKit.UIApplication.shared.scenes = []
        try person.taps("Page")
        try await person.waits("the system") { person.opened.last == "https://shop.example/page" }
    }
}

/// A provider that overrides each part, as Bloomreach's document shows.
private final class Provider: DefaultAppInboxProvider {
    private(set) var clicked: [String] = []

    init(_ client: Exponea) {
        super.init(client, texts: AppInboxTexts(languages: ["en"]) { _ in nil })
    }

    override func getAppInboxButton() -> UIButton {
        let button = super.getAppInboxButton()
        button.backgroundColor = .red
        return button
    }

    override func getAppInboxListViewController() -> UIViewController {
        let list = super.getAppInboxListViewController()
        guard let typed = list as? AppInboxListViewController else { return list }
        typed.onItemClickedOverride = { [weak self] message, index in self?.clicked.append("\(message.id) \(index)") }
        typed.loadViewIfNeeded()
        typed.statusTitle.textColor = .red
        return typed
    }

    override func getAppInboxDetailViewController(_ messageId: String) -> UIViewController {
        let detail = super.getAppInboxDetailViewController(messageId)
        guard let typed = detail as? AppInboxDetailViewController else { return detail }
        typed.loadViewIfNeeded()
        typed.messageTitle.font = .systemFont(ofSize: 32)
        typed.action1.layer.cornerRadius = 4
        return typed
    }

    override func getAppInboxListTableViewCell(_ cell: UITableViewCell) -> UITableViewCell {
        (cell as? MessageItemCell)?.titleLabel.textColor = .red
        return cell
    }
}
