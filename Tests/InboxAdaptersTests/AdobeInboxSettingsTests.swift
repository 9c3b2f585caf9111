import Foundation
import Groundwork
import InboxAdapters
import InboxModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobeInboxSettingsTests {
    private func read(_ content: String) throws -> AdobeInboxSettings {
        try AdobeInboxSettings(data: Data(#"{"content":\#(content)}"#.utf8))
    }

    private func read(with more: String) throws -> AdobeInboxSettings {
        try read(#"{"layout":{"orientation":"vertical"},"capacity":5,\#(more)}"#)
    }

    @Test func `whole settings are read, converted and converted back`() throws {
        let settings = try read(
            #"""
            {"layout":{"orientation":"horizontal"},"capacity":15,"heading":{"content":"News"},
             "emptyStateSettings":{"message":{"content":"Nothing"},"image":{"icon":"tray","alt":"Tray"}},
             "unread_indicator":{"unread_bg":{"clr":{"light":"0xFFE4E1","dark":"#112233FF"}},
               "unread_icon":{"placement":"bottomright","image":{"url":"https://a.example/dot.png"}}},
             "isUnreadEnabled":true}
            """#
        )
        #expect(settings.orientation == .horizontal && settings.capacity == 15 && settings.heading == "News")
        let expected = InboxSettings(
            title: "News",
            emptyMessage: "Nothing",
            emptyImage: Media(icon: "tray", alt: "Tray"),
            layout: .horizontal,
            capacity: 15,
            unreadIndicator: UnreadIndicator(
                isShown: true,
                placement: .bottomRight,
                icon: Media(url: "https://a.example/dot.png"),
                background: "#FFE4E1",
                darkBackground: "#112233FF"
            )
        )
        #expect(try settings.adapted() == expected)
        // And back.
        let back = AdobeItem(id: "i", expected)
        #expect(back.schema == .inbox)
        #expect(try AdobeInboxSettings(reading: back.dataReader).adapted() == expected)
    }

    @Test func `minimal settings have the defaults`() throws {
        let settings = try read(#"{"layout":{"orientation":""},"capacity":0}"#)
        #expect(settings.orientation == .vertical && settings.capacity == nil && settings.heading == nil)
        #expect(settings.emptyMessage == nil && settings.emptyImage == nil && settings.unreadIndicator == nil)
        #expect(!settings.isUnreadEnabled)
        let ours = try settings.adapted()
        #expect(ours == InboxSettings(unreadIndicator: UnreadIndicator(isShown: false)))
        #expect(try read(#"{"layout":{"orientation":"diagonal"},"capacity":-1}"#).orientation == .vertical)
    }

    @Test func `heading and empty message can be empty`() throws {
        let settings = try read(with: #""heading":{"content":""},"emptyStateSettings":{"message":{"content":""}}"#)
        #expect(settings.heading == "" && settings.emptyMessage == "")
    }

    @Test(arguments: [
        #""heading":{"content":7}"#, #""heading":"News""#, #""emptyStateSettings":[]"#,
        #""emptyStateSettings":{"message":{"content":"x"},"image":{"alt":"x"}}"#,
        #""emptyStateSettings":{"message":"x","image":{"icon":"x"}}"#, #""unread_indicator":7"#,
        ##""unread_indicator":{"unread_bg":{"clr":{"light":"#FFFFFF"}}}"##,
        ##""unread_indicator":{"unread_bg":{"clr":{"light":"#FFFFFF","dark":"#000000"}},"unread_icon":{"placement":"topleft"}}"##,
        #""unread_indicator":{"unread_icon":{"image":{"icon":"circle"}}}"#,
        #""unread_indicator":{"unread_icon":{"placement":"topleft","image":{"url":"x"}}}"#,
    ])
    func `an invalid optional part is nil`(_ more: String) throws {
        let settings = try read(with: more)
        #expect(settings.heading == nil && settings.emptyMessage == nil && settings.emptyImage == nil)
        #expect(settings.unreadIndicator == nil && settings.capacity == 5)
    }

    @Test(arguments: [
        ("topleft", UnreadIndicator.Placement.topLeft), ("topright", .topRight), ("bottomleft", .bottomLeft),
        ("bottomright", .bottomRight), ("TopLeft", .topRight), ("", .topRight),
    ])
    func `a placement is one of four, otherwise top right`(
        _ text: String,
        _ expected: UnreadIndicator.Placement
    ) throws {
        let settings = try read(
            with: #""unread_indicator":{"unread_icon":{"placement":"\#(text)","image":{"icon":"circle"}}}"#
        )
        #expect(settings.unreadIndicator?.placement == expected)
    }

    @Test(arguments: [
        ("FFE4E1", "#FFE4E1"), ("#ffe4e1", "#ffe4e1"), ("0xFFE4E1", "#FFE4E1"), ("0XFFE4E180", "#FFE4E180"),
        ("#FFF", "#000000"), ("", "#000000"), ("#GGGGGG", "#000000"), ("#FFE4E1000", "#000000"),
    ])
    func `a color is hexadecimal, otherwise opaque black`(_ text: String, _ expected: String) throws {
        let settings = try read(
            with: #""unread_indicator":{"unread_bg":{"clr":{"light":"\#(text)","dark":"\#(text)"}}}"#
        )
        #expect(settings.unreadIndicator?.background == expected)
        #expect(settings.unreadIndicator?.darkBackground == expected)
        #expect(try settings.adapted().unreadIndicator.background == expected)
    }

    @Test(arguments: [
        ("[]", AdapterError.Reason.notAnObject, ""), ("{}", .missing, "/content"),
        (#"{"content":[]}"#, .wrongType, "/content"), (#"{"content":{"capacity":1}}"#, .missing, "/content/layout"),
        (#"{"content":{"layout":1,"capacity":1}}"#, .wrongType, "/content/layout"),
        (#"{"content":{"layout":{},"capacity":1}}"#, .missing, "/content/layout/orientation"),
        (#"{"content":{"layout":{"orientation":1},"capacity":1}}"#, .wrongType, "/content/layout/orientation"),
        (#"{"content":{"layout":{"orientation":"vertical"}}}"#, .missing, "/content/capacity"),
        (#"{"content":{"layout":{"orientation":"vertical"},"capacity":"5"}}"#, .wrongType, "/content/capacity"),
        (#"{"content":{"layout":{"orientation":"vertical"},"capacity":1.5}}"#, .wrongType, "/content/capacity"),
        (
            #"{"content":{"layout":{"orientation":"vertical"},"capacity":1,"isUnreadEnabled":"yes"}}"#, .wrongType,
            "/content/isUnreadEnabled"
        ),
        (
            #"{"content":{"layout":{"orientation":"vertical"},"capacity":10001}}"#, .notAcceptable,
            "/content/capacity"
        ),
    ])
    func `a missing or invalid required setting is an error at its pointer`(
        _ text: String,
        _ reason: AdapterError.Reason,
        _ pointer: String
    ) {
        #expect {
            try AdobeInboxSettings(data: Data(text.utf8)).adapted()
        } throws: { error in
            let error = error as? AdapterError
            return error?.reason == reason && error?.pointer == pointer
        }
    }
}
