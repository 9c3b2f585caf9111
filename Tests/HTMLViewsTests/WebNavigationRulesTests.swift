import HTMLViews
import Testing

/// What a web view may open.
@Suite(.timeLimit(.minutes(5)))
struct WebNavigationRulesTests {
    private func decide(_ navigation: WebNavigation, isLoading: Bool = false) -> WebNavigationRules.Decision {
        var rules = WebNavigationRules()
        if isLoading { rules.willLoadDocument() }
        return rules.decide(navigation)
    }

    @Test func `the document is opened once for each load`() {
        var rules = WebNavigationRules()
        let document = WebNavigation(url: "about:blank", cause: .other)
        var decisions = [rules.decide(document)]
        for _ in 1...2 {
            rules.willLoadDocument()
            decisions += [rules.decide(document), rules.decide(document)]
        }
        #expect(decisions == [.cancel, .allow, .cancel, .allow, .cancel])
    }

    @Test func `a refused navigation doesn't use up the document's`() {
        var rules = WebNavigationRules()
        rules.willLoadDocument()
        let addresses = ["https://example.com/", "about:blank"]
        let decisions = addresses.map { rules.decide(WebNavigation(url: $0, cause: .other)) }
        #expect(decisions == [.cancel, .allow])
    }

    @Test(arguments: [
        "https://example.com/", "http://example.com/", "file:///etc/passwd", "data:text/html,x", "javascript:alert(1)",
        "about:srcdoc", "about:blank#x", "blob:null/1", "app://x", "",
    ])
    func `while the document loads, no other address is opened`(_ url: String) {
        #expect(decide(WebNavigation(url: url, cause: .other), isLoading: true) == .cancel)
    }

    @Test(arguments: WebNavigation.Cause.allCases, ["about:blank", "https://example.com/"])
    func `only the app's load and links are considered`(_ cause: WebNavigation.Cause, _ url: String) {
        for isLoading in [false, true] {
            let decision = decide(WebNavigation(url: url, cause: cause), isLoading: isLoading)
            switch (cause, url) {
            case (.other, "about:blank"): #expect(decision == (isLoading ? .allow : .cancel))
            case (.link, "https://example.com/"): #expect(decision == .link(url))
            default: #expect(decision == .cancel)
            }
        }
    }

    @Test(arguments: [WebNavigation.Target.frame, .newWindow])
    func `the document isn't opened in a frame or in a window`(_ target: WebNavigation.Target) {
        #expect(decide(WebNavigation(url: "about:blank", cause: .other, target: target), isLoading: true) == .cancel)
    }

    @Test(arguments: [
        "https://example.com/?a=1#b", "mailto:a@example.com", "tel:+15550100", "app://offer", "javascript:alert(1)",
        "data:text/html,x", "file:///etc/passwd",
    ])
    func `every link of the page is passed to the app`(_ url: String) {
        #expect(decide(WebNavigation(url: url, cause: .link)) == .link(url))
        #expect(decide(WebNavigation(url: url, cause: .link, target: .newWindow)) == .link(url))
    }

    @Test(arguments: ["about:blank", "about:blank#x", "about:blank#"])
    func `a link to a place in the page does nothing`(_ url: String) {
        #expect(decide(WebNavigation(url: url, cause: .link)) == .cancel)
    }

    @Test func `links into frames and out of frames do nothing, and neither do downloads`() {
        let url = "https://example.com/"
        #expect(decide(WebNavigation(url: url, cause: .link, target: .frame)) == .cancel)
        #expect(decide(WebNavigation(url: url, cause: .link, isFromPage: false)) == .cancel)
        #expect(decide(WebNavigation(url: url, cause: .link, isDownload: true)) == .cancel)
        let file = WebNavigation(url: "about:blank", cause: .other, isDownload: true)
        #expect(decide(file, isLoading: true) == .cancel)
        let framed = WebNavigation(url: "about:blank", cause: .other, isFromPage: false)
        #expect(decide(framed, isLoading: true) == .cancel)
    }

    @Test func `an answer is shown in the page alone, and never as a file`() {
        #expect(WebNavigationRules.shows(isPage: true, canShow: true))
        #expect(!WebNavigationRules.shows(isPage: false, canShow: true))
        #expect(!WebNavigationRules.shows(isPage: true, canShow: false))
    }
}
