import Groundwork
import Testing

@testable import InboxModel

@Suite(.timeLimit(.minutes(5))) struct InboxSettingsTests {
    private let full = InboxSettings(
        title: "News",
        buttonLabel: "Inbox",
        emptyTitle: "Nothing",
        emptyMessage: "Come back later",
        emptyImage: Media(url: "https://example.com/a.png", alt: "A box"),
        errorTitle: "Sorry",
        errorMessage: "Try again",
        layout: .horizontal,
        deviceLimit: .all,
        newDeviceLimit: .atMost(7),
        unreadIndicator: UnreadIndicator(
            isShown: false,
            placement: .bottomRight,
            size: 8,
            icon: Media(url: "https://example.com/b.png"),
            background: "#ff0000",
            darkBackground: "#FF000080"
        ),
        isPullToRefreshEnabled: true,
        cardSpacing: 0
    )

    @Test func `settings are the same after the strict and the lenient reader`() throws {
        for settings in [full, InboxSettings()] {
            #expect(InboxSettings(lenient: settings.json) == settings)
            #expect(try InboxSettings(checking: JSONReader(settings.json)) == settings)
        }
    }

    @Test func `a device keeps unknown settings and uses defaults for invalid ones`() {
        let settings = InboxSettings(
            lenient: [
                "layout": "circle", "deviceLimit": -1, "newDeviceLimit": "some", "title": 7, "shadow": true,
                "unreadIndicator": ["placement": "middle", "size": "x"], "cardSpacing": 3,
            ]
        )
        var expected = InboxSettings(layout: .other("circle"), cardSpacing: 3)
        expected.unreadIndicator.placement = .other("middle")
        #expect(settings == expected)
        #expect(InboxSettings(lenient: .null) == InboxSettings())
    }
}
