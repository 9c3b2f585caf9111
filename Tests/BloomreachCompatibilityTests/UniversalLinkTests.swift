import Foundation
import InboxClient
import InboxModel
import Testing

@testable import BloomreachCompatibility

/// Deep links that are web addresses, which the app may continue itself.
@Suite(.timeLimit(.minutes(5))) struct UniversalLinkTests {
    @Test(arguments: [
        ("deeplink", "https://shop.example/a", true), ("deep-link", "HTTP://shop.example/a", true),
        ("browser", "https://shop.example/a", false), ("", "https://shop.example/a", false),
        ("deeplink", "myapp://a", false), ("deeplink", "javascript:a", false), ("deeplink", "", false),
    ])
    func `of a message's actions, a web address of a deep link may be one`(
        _ type: String,
        _ link: String,
        _ isUniversal: Bool
    ) {
        let action = MessageAction(id: "1", text: "", type: type, link: link)
        let url = UniversalLink.url(of: action, to: action.destination)
        #expect(url?.absoluteString == (isUniversal ? link : nil))
    }

    @Test func `in HTML, a link is universal only if it opens the app`() throws {
        let url = try #require(URL(string: "https://shop.example/a"))
        let action = MessageAction(id: url.absoluteString, text: "", link: url.absoluteString)
        #expect(UniversalLink.url(of: action, to: .app(url)) == url)
        #expect(UniversalLink.url(of: action, to: .systemBrowser(url)) == nil)
        #expect(UniversalLink.url(of: action, to: .inApp(url)) == nil)
    }
}
