import BloomreachCompatibility
import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import Screens
import Testing

/// The statements of Bloomreach's document about the button and the provider.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct AppInboxProviderTests {
    /// A provider of an app's own, which extends the default one.
    private final class OwnProvider: DefaultAppInboxProvider {
        override func getAppInboxButton() -> AppInboxButton {
            let button = super.getAppInboxButton()
            button.look.title = "Own"
            button.look.backgroundColor = AppInboxColor(red: 255, green: 213, blue: 0)
            return button
        }

        override func getAppInboxListTableViewCell(_ cell: AppInboxCell) -> AppInboxCell {
            var cell = super.getAppInboxListTableViewCell(cell)
            cell.title.text += "!"
            return cell
        }
    }

    /// A provider that replaces everything.
    private final class OtherProvider: AppInboxProvider {
        final class Screen: AppInboxScreenModel {
            let id: String
            init(_ id: String) { self.id = id }
        }
        private let button: AppInboxButton
        init(_ button: AppInboxButton) { self.button = button }
        func getAppInboxButton() -> AppInboxButton { button }
        func getAppInboxListViewController() -> AppInboxScreen { Screen("list") }
        func getAppInboxDetailViewController(_ messageId: String) -> AppInboxScreen { Screen(messageId) }
        func getAppInboxListTableViewCell(_ cell: AppInboxCell) -> AppInboxCell { cell }
    }

    // MARK: - Button

    @Test(.shows(.b05)) func `each call after the start returns a new button, and nil before it`() async throws {
        let device = AppInboxDevice([message("a")], isStarted: false)
        #expect(device.client.getAppInboxButton() == nil)
        device.start(identifies: false)
        let button = try #require(device.client.getAppInboxButton())
        let second = try #require(device.client.getAppInboxButton())
        #expect(button !== second)
        #expect(button.look.title == "Inbox" && button.look.showsIcon && button.look.isEnabled)
        #expect(button.badge == nil && button.accessibilityValue == nil)
        device.client.identifyCustomer(customerIds: ["registered": "alice"])
        try await device.settle()
        #expect(try await eventually { button.badge == "1" && second.badge == "1" })
        device.client.anonymize()
        #expect(button.badge == nil, "at once")
    }

    @Test(.shows(.b04)) func `the badge has the number of unread messages, and a tap opens the list`() async throws {
        let device = AppInboxDevice((1...100).map { message("m\($0)", minutesAgo: Double($0)) })
        let button = try #require(device.client.getAppInboxButton())
        try await device.settle()
        #expect(try await eventually { button.badge == "99+" && button.unreadCount == 100 })
        #expect(button.accessibilityValue == "100 unread messages")
        device.client.markAppInboxAsRead("m1")
        #expect(try await eventually { button.badge == "99" })
        var screens: [AppInboxScreen] = []
        device.client.appInboxPresenter = { screens.append($0) }
        button.tap()
        #expect(screens.count == 1 && screens.first is AppInboxListModel)
        button.look.isEnabled = false
        button.tap()
        #expect(screens.count == 1)
    }

    @Test(.shows(.b22)) func `the button can be styled`() throws {
        let style = AppInboxStyle(
            appInboxButton: ButtonStyle(
                textColor: "black",
                backgroundColor: "#FFD500",
                showIcon: false,
                textSize: "18",
                borderRadius: "10px",
                textWeight: "bold"
            )
        )
        let device = AppInboxDevice(style: style, texts: ["exponea.inbox.button": "Post"])
        let look = try #require(device.client.getAppInboxButton()).look
        #expect(look.backgroundColor == AppInboxColor(red: 255, green: 213, blue: 0) && look.size == 18)
        #expect(look.textColor == AppInboxColor(red: 0, green: 0, blue: 0) && look.weight == .bold)
        #expect(!look.showsIcon && look.cornerRadius == 10 && look.title == "Post")
    }

    // MARK: - Providers

    @Test(.shows(.b21, .b22, .b23)) func `a provider extends the default one and replaces single parts`() async throws {
        let device = AppInboxDevice([message("a")])
        device.client.appInboxProvider = OwnProvider(device.client)
        let button = try #require(device.client.getAppInboxButton())
        #expect(button.look.title == "Own" && button.look.cornerRadius == 4)
        #expect(button.look.backgroundColor == AppInboxColor(red: 255, green: 213, blue: 0))
        let list = try await device.shownList()
        #expect(list.provided(try #require(list.row(at: 0))).title.text == "Title a!")
        #expect(try await device.shownDetail("a").1.title.text == "Title a")
    }

    @Test(.shows(.b20, .b22, .b23, .b24)) func `a provider can be replaced at any time, also before the start`()
        async throws
    {
        let device = AppInboxDevice([message("a")], isStarted: false)
        let own = OwnProvider(device.client)
        device.client.appInboxProvider = own
        device.start()
        let button = try #require(device.client.getAppInboxButton())
        #expect(button.look.title == "Own")
        let list = try await device.shownList()
        var screens: [AppInboxScreen] = []
        list.onOpen = { screens.append($0) }
        device.client.appInboxPresenter = { screens.append($0) }
        list.tap(at: 0)
        #expect(screens.last is AppInboxDetailModel)
        // The list and the button from before open the screens of the new provider.
        device.client.appInboxProvider = OtherProvider(button)
        list.tap(at: 0)
        #expect((screens.last as? OtherProvider.Screen)?.id == "a")
        button.tap()
        #expect((screens.last as? OtherProvider.Screen)?.id == "list")
        #expect(list.provided(try #require(list.row(at: 0))).title.text == "Title a")
        #expect(device.client.getAppInboxButton() === button)
        #expect(device.client.getAppInboxListViewController { _, _ in } is OtherProvider.Screen)
        device.client.appInboxProvider = DefaultAppInboxProvider(device.client)
        #expect(try #require(device.client.getAppInboxButton()).look.title == "Inbox")
    }

    @Test func `without the app's own provider, the default one is used each time`() {
        let client = Exponea()
        #expect(client.appInboxProvider is DefaultAppInboxProvider)
        #expect(client.appInboxProvider === client.appInboxProvider)
    }

    @Test func `JSON that isn't a style is a typed error, and a bad value is left out alone`() throws {
        let error = #expect(throws: AppInboxStyleProblem.self) { try StyledAppInboxProvider(json: Data("[]".utf8)) }
        #expect(error?.reason == .notAnObject)
        let json = ##"{"appInboxButton": {"textColor": "#GGG", "textSize": "20sp"}, "x": 1}"##
        let provider = try StyledAppInboxProvider(json: Data(json.utf8))
        #expect(provider.style.appInboxButton?.textColor == nil && provider.style.detailView == nil)
        #expect(provider.style.appInboxButton?.textSize == "20sp")
        #expect(provider.getAppInboxButton().look.size == 20)
    }
}
