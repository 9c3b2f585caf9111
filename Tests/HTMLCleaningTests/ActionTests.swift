import HTMLCleaning
import Testing

/// The rules of Bloomreach's App Inbox for HTML messages.
@Suite(.timeLimit(.minutes(5)))
struct ActionTests {
    /// The style of an anchor that the message doesn't have.
    private let made = " style=\"color: inherit; text-decoration: none\""

    private func message(_ html: String, close: HTMLCleaner.Options.CloseButtons = .removed) -> CleanHTML {
        HTMLCleaner(.init(linkSchemes: ["http", "https", "app", "mailto"], readsActions: true, closeButtons: close))
            .clean(html)
    }

    private func actions(_ html: String) -> [HTMLAction] { HTMLActions(message(html)).actions }

    @Test func `data-link comes before href, and empty targets are skipped`() {
        let found = actions(
            "<a href=https://a/>A</a><div data-link=https://b/>B</div><a href>C</a><p data-link=' '>D</p><a>E</a>"
        )
        #expect(found.map(\.url) == ["https://b/", "https://a/"])
    }

    @Test func `http and https open the browser, all else is a deep link`() {
        let found = actions(
            "<a href=http://a/>A</a><a href=HTTPS://b/>B</a><a href=app://c>C</a><a href=mailto:d@e>D</a>"
        )
        #expect(found.map(\.kind) == [.browser, .browser, .deepLink, .deepLink])
    }

    @Test func `data-actiontype overrides the type next to data-link and on anchors`() {
        let found = actions(
            "<div data-link=https://a/ data-actiontype=deep-link>A</div><a data-link=app://b"
                + " data-actiontype=browser>B</a>"
                + "<a href=https://c/ data-actiontype=deep-link>C</a><a href=https://d/ data-actiontype=other>D</a>"
        )
        #expect(found.map(\.kind) == [.deepLink, .browser, .deepLink, .browser])
    }

    @Test func `the label is the element's text, and none when it is empty`() {
        let found = actions("<a href=https://a/> See\n<b>more</b> </a><a href=https://b/><img src=https://c/d></a>")
        #expect(found.map(\.label) == ["See more", nil])
    }

    @Test func `data-link overrides an anchor's href`() {
        let found = message("<a href=https://a/ data-link=https://b/>A</a>")
        #expect(found.markup == "<a href=\"https://b/\">A</a>")
        #expect(HTMLActions(found).actions.map(\.url) == ["https://b/"])
    }

    @Test func `an element with data-link outside an anchor is wrapped in one`() {
        #expect(
            message("<div data-link=https://a/ data-actiontype=browser style='color:red'><span>A</span></div>").markup
                == "<a href=\"https://a/\" data-actiontype=\"browser\"\(made)><div style=\"color: red\"><span>A</span>"
                + "</div></a>"
        )
        #expect(
            message("<button data-link=app://a>A</button>").markup == "<a href=\"app://a\"\(made)><span>A</span></a>"
        )
        #expect(
            message("<img src=https://b/c data-link=app://a>").markup
                == "<a href=\"app://a\"\(made)><img src=\"https://b/c\"></a>"
        )
        #expect(
            message("<table><tr><td data-link=app://a>A").markup
                == "<table><tbody><tr><td><a href=\"app://a\"\(made)>A</a></td></tr></tbody></table>"
        )
        #expect(message("<ul><li data-link=app://a>A").markup == "<ul><li><a href=\"app://a\"\(made)>A</a></li></ul>")
    }

    @Test func `an element with data-link in an anchor isn't wrapped, and is an action`() {
        let found = message("<a href=https://a/><b data-link=https://b/>B</b></a>")
        #expect(found.markup == "<a href=\"https://a/\"><b>B</b></a>")
        #expect(HTMLActions(found).actions.map(\.url) == ["https://b/", "https://a/"])
    }

    @Test func `an address is one action with the first type and the later label`() {
        let found = actions(
            "<a href=https://a/ data-actiontype=deep-link>A</a><a href=https://a/ data-actiontype=browser>B</a>"
                + "<a href=https://a/></a>"
        )
        #expect(found.map(\.kind) == [.deepLink])
        #expect(found.map(\.label) == ["B"])
        let mixed = actions("<a href=https://a/>A</a><p data-link=https://a/ data-actiontype=deep-link>B</p>")
        #expect(mixed.map(\.kind) == [.deepLink])
        #expect(mixed.map(\.label) == ["A"])
    }

    @Test func `close buttons are found and dropped in an inbox`() {
        let found = message("a<button data-actiontype=close>×</button><a href=https://a/ data-actiontype=close>b</a>c")
        #expect(found.markup == "ac")
        #expect(found.closeButtonCount == 2)
        #expect(HTMLActions(found).actions.isEmpty)
        #expect(HTMLActions(found).closeURL == nil)
    }

    @Test func `close buttons lead to the private address that is asked for`() {
        let found = message("<p data-actiontype=close>×</p>", close: .linked(to: "app://close", addsDefault: true))
        #expect(found.markup == "<a href=\"app://close\" data-actiontype=\"close\"\(made)><p>×</p></a>")
        let actions = HTMLActions(found)
        #expect(actions.closeURL == "app://close")
        #expect(actions.actions.isEmpty)
        #expect(actions.click(on: "app://close") == .close)
        #expect(actions.click(on: "app://close/") == .close)
        #expect(actions.click(on: "app://close?a") == .blocked)
    }

    @Test func `a default close button is made if there is none and one is asked for`() {
        let found = message("<p>a", close: .linked(to: "app://close", addsDefault: true))
        #expect(
            found.markup
                == "<div style=\"text-align: right\"><a href=\"app://close\" aria-label=\"Close\""
                + " data-actiontype=\"close\">×</a></div><p>a</p>"
        )
        #expect(HTMLActions(found).closeURL == "app://close")
        #expect(message("<p>a", close: .linked(to: "app://close", addsDefault: false)).markup == "<p>a</p>")
        #expect(message("<p>a", close: .linked(to: "javascript:a", addsDefault: true)).markup == "<p>a</p>")
    }

    @Test func `a click matches on scheme, host, path and query`() {
        let actions = HTMLActions(
            message("<a href=https://A.example/b?c=d>A</a><a href=https://e.example>E</a><a href=app://x/y>X</a>")
        )
        func index(_ url: String) -> Int? {
            guard case .action(let action) = actions.click(on: url) else { return nil }
            return actions.actions.firstIndex(of: action)
        }
        #expect(index("https://a.example/b?c=d") == 0)
        #expect(index("https://a.example:443/x/../b?c=d#f") == 0)
        #expect(index("https://e.example/") == 1)
        #expect(index("https://e.example") == 1)
        #expect(index("app://x/y") == 2)
        for other in [
            "http://a.example/b?c=d", "https://a.example/b", "https://a.example/b?c=e", "https://a.example/B?c=d",
            "https://e.example:8443/",
        ] {
            #expect(actions.click(on: other) == .blocked)
        }
    }

    @Test func `unknown addresses are blocked, about:blank isn't`() {
        let actions = HTMLActions(message("<a href=https://a/>A</a>"))
        for url in ["https://b/", "file:///a", "javascript:a()", "", "a", "about:srcdoc"] {
            #expect(actions.click(on: url) == .blocked)
        }
        #expect(actions.click(on: "about:blank") == .stay)
    }

    @Test func `addresses that run code are no actions`() {
        #expect(
            actions(
                "<p data-link=javascript:a()>A</p><a href='java&Tab;script:a()'>B</a><p"
                    + " data-link='data:text/html,a'>C</p>"
            ).isEmpty
        )
    }

    @Test func `xnpe_force_track forces tracking without a value, with true or 1`() {
        func forces(_ query: String) -> Bool {
            actions("<a href='https://a/?\(query)'>A</a>").first?.forcesTracking ?? false
        }
        for query in [
            "xnpe_force_track", "b=c&xnpe_force_track=true", "xnpe_force_track=1&d", "xnpe_force_track=",
            "xnpe_force_track=TRUE",
        ] {
            #expect(forces(query))
        }
        for query in ["xnpe_force_track=0", "xnpe_force_track=false", "a_xnpe_force_track", "b=xnpe_force_track"] {
            #expect(!forces(query))
        }
    }

    @Test func `actions aren't read unless they are asked for`() {
        #expect(clean("<div data-link=https://a/ data-actiontype=close>A</div>") == "<div>A</div>")
    }
}
