import Foundation
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct BloomreachTrackingTests {
    private let message: BloomreachMessage

    init() throws {
        message = try BloomreachMessage(data: Data(BloomreachMessageTests.push.utf8))
    }

    @Test func `tracking data has the attributes without their event type, and the URL tags`() {
        #expect(
            message.trackingData(platform: "iOS") == [
                "status": .string("clicked"), "cta": .string("notification"), "url": .string("app://offers/1"),
                "platform": .string("iOS"), "campaign_id": .string("63bd"), "action_id": .number(3),
                "deep": .string(#"{"z":1,"a":2}"#), "utm_source": .string("bloomreach"),
                "utm_medium": .string("inbox"),
            ]
        )
    }

    @Test func `opened and clicked events have their own data`() {
        let base = message.trackingData(platform: "iOS")
        var opened = base
        opened["status"] = .string("opened")
        opened["action_type"] = .string("app inbox")
        #expect(message.openedData(platform: "iOS") == opened)
        var clicked = base
        clicked["action_type"] = .string("app inbox")
        clicked["cta"] = .string("Web")
        clicked["url"] = .string("https://a.example")
        #expect(message.clickedData(label: "Web", url: "https://a.example", platform: "iOS") == clicked)
        let forced = message.clickedData(label: "Web", url: "https://a.example?xnpe_force_track", platform: "iOS")
        #expect(forced["tracking_forced"] == .bool(true))
    }

    @Test(arguments: [
        ("https://a.example/?xnpe_force_track", true), ("https://a.example/?a=b&xnpe_force_track=true", true),
        ("app://x?xnpe_force_track=1#f", true), ("app://x?xnpe_force_track=", true),
        ("https://a.example/?xnpe_force_track=false", false), ("https://a.example/?xnpe_force_track=0", false),
        ("https://a.example/?xnpe_force_tracking", false), ("https://a.example/xnpe_force_track", false),
        ("https://a.example/#?xnpe_force_track", false), ("", false),
    ])
    func `a URL parameter forces tracking`(_ url: String, _ expected: Bool) {
        #expect(ForcedTracking.isRequested(by: url) == expected)
    }
}
