import Foundation
import InboxClient
import InboxModel
import Testing

/// The destination of an action's link, and how it is opened.
@Suite(.timeLimit(.minutes(5))) struct LinkTests {
    private static let web = URL(string: "https://example.com/a?b=1#c")!
    private static let deep = URL(string: "myapp://orders/7")!

    @Test(arguments: [
        ("https://example.com/a?b=1#c", "", LinkDestination.systemBrowser(web)),
        ("https://example.com/a?b=1#c", "webBrowser", .inApp(web)),
        ("https://example.com/a?b=1#c", "externalBrowser", .systemBrowser(web)),
        ("https://example.com/a?b=1#c", "hologram", .systemBrowser(web)),
        ("HTTP://example.com", "webBrowser", .inApp(URL(string: "HTTP://example.com")!)),
        ("myapp://orders/7", "", .app(deep)),
        ("myapp://orders/7", "webBrowser", .app(deep)),
        ("myapp://orders/7", "externalBrowser", .app(deep)),
        ("tel:+123", "", .app(URL(string: "tel:+123")!)),
        ("", "webBrowser", .noLink),
        ("example.com", "", .refused(.invalidURL)),
        ("https://", "webBrowser", .refused(.invalidURL)),
        (" https://example.com", "", .refused(.invalidURL)),
        ("JaVaScRiPt:alert(1)", "webBrowser", .refused(.forbiddenScheme("javascript"))),
        ("data:text/html,x", "", .refused(.forbiddenScheme("data"))),
        ("FILE:///etc/passwd", "externalBrowser", .refused(.forbiddenScheme("file"))),
    ])
    func `a link's destination follows from its scheme and its action type`(
        link: String,
        type: String,
        expected: LinkDestination
    ) {
        #expect(LinkDestination(link, as: .init(rawValue: type)) == expected)
        let action = MessageAction(id: "1", text: "", link: link, actionType: .init(rawValue: type))
        #expect(action.destination == expected)
    }

    /// A forbidden scheme is refused in every spelling and for every action type.
    @Test(
        arguments: [
            "javascript:alert(1)", "JAVASCRIPT://example.com/%0aalert(1)", " javascript:alert(1)", "\tjavascript:x",
            "java\nscript:alert(1)", "java\r\nscript:x", "java\tscript:x", "javascript\u{0}:x", "\u{1}javascript:x",
            "javascript :x", "java%73cript:x", "javascript%3Ax", "java\u{AD}script:x", "\u{FEFF}javascript:x",
            "ｊavascript:x", "DATA:text/html;base64,AAAA", "da\tta:x", "file:///etc/passwd", "fi\nle:///x",
            "vbscript:x", "blob:https://example.com/1", "view-source:javascript:x", "filesystem:https://e.com/t/a",
        ],
        ["", "webBrowser", "externalBrowser", "javascript"]
    )
    func `a link with a forbidden scheme is refused in every spelling`(link: String, type: String) {
        guard case .refused = LinkDestination(link, as: .init(rawValue: type)) else {
            Issue.record("\(link) would be opened")
            return
        }
    }

    // MARK: - Opening

    /// Records which links were opened, and how.
    @MainActor final class Recorder {
        var opened: [String] = []

        func opener(handler: LinkOpener.Handler? = nil) -> LinkOpener {
            LinkOpener(
                handler: handler,
                inApp: { self.opened.append("in app \($0)") },
                systemBrowser: { self.opened.append("browser \($0)") },
                app: { self.opened.append("app \($0)") }
            )
        }
    }

    private static let links: [(String, MessageAction.ActionType, String?)] = [
        ("https://example.com/", .webBrowser, "in app https://example.com/"),
        ("https://example.com/", .externalBrowser, "browser https://example.com/"),
        ("https://example.com/", .automatic, "browser https://example.com/"),
        ("myapp://x", .automatic, "app myapp://x"),
        ("", .automatic, nil),
        ("javascript:alert(1)", .webBrowser, nil),
    ]

    private func action(_ link: String, _ type: MessageAction.ActionType) -> MessageAction {
        MessageAction(id: "1", text: "Open", link: link, actionType: type)
    }

    @MainActor @Test(arguments: links) func `an action opens its link by its type`(
        link: String,
        type: MessageAction.ActionType,
        expected: String?
    ) async {
        let recorder = Recorder()
        let isOpened = await recorder.opener().open(action(link, type), of: .at(0, "m"))
        #expect(isOpened == (expected != nil))
        #expect(recorder.opened == [expected].compactMap { $0 })
    }

    @MainActor @Test(arguments: links) func `the app's handler is called before a link is opened`(
        link: String,
        type: MessageAction.ActionType,
        expected: String?
    ) async {
        let recorder = Recorder()
        var destinations: [LinkDestination] = []
        let handling = recorder.opener { destination, _, _ in
            destinations.append(destination)
            return true
        }
        #expect(await handling.open(action(link, type), of: .at(0, "m")))
        #expect(recorder.opened.isEmpty)
        let declining = recorder.opener { destination, _, message in
            #expect(recorder.opened.isEmpty && message.id == "m")
            destinations.append(destination)
            return false
        }
        #expect(await declining.open(action(link, type), of: .at(0, "m")) == (expected != nil))
        #expect(recorder.opened == [expected].compactMap { $0 })
        #expect(destinations == [action(link, type).destination, action(link, type).destination])
    }
}
