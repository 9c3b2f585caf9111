import Foundation
import InboxModel
import Testing

/// The scheme of a link, as a browser parses it.
@Suite(.timeLimit(.minutes(5))) struct LinkSchemeTests {
    @Test(arguments: [
        ("https://example.com/a?b#c", "https"), ("HTTP://EXAMPLE.COM", "http"), ("myapp://orders/7", "myapp"),
        ("mailto:someone@example.com", "mailto"), ("tel:+123", "tel"), ("my.app-2+x:open", "my.app-2+x"),
        ("https://example.com/%20ä", "https"), ("https://[::1]:8080/", "https"),
    ])
    func `a scheme is in lower case`(link: String, name: String) throws {
        let scheme = try #require(LinkScheme(of: link))
        #expect(scheme.name == name)
        #expect(!scheme.isForbidden)
        #expect(scheme.isWeb == (name == "http" || name == "https"))
    }

    @Test(arguments: [
        "", "example.com", "/path", "//example.com/a", "?query", "#fragment", "://example.com", ":a", "1app://x",
        "my_app://x",
        "https:", "https:/", "https://", "https:///path", "https:example.com", "http:?a", #"https:\\example.com"#,
        "https://example.com/a b", "https://example.com/a\tb", "myapp://a b",
    ])
    func `text without a whole URL has no scheme`(link: String) {
        #expect(LinkScheme(of: link) == nil)
    }

    /// Each spelling either has no scheme or a forbidden one, so that it isn't opened.
    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "JAVASCRIPT://example.com/%0aalert(1)", " javascript:alert(1)",
        "\tjavascript:alert(1)", "\u{1}javascript:alert(1)", "\u{0}javascript:alert(1)", "java\tscript:alert(1)",
        "java\nscript:alert(1)", "java\r\nscript:alert(1)", "j\na\nv\na\nscript:alert(1)", "javascript\t:alert(1)",
        "javascript :alert(1)", "javascript\u{0}:alert(1)", "\u{FEFF}javascript:alert(1)", "\u{A0}javascript:alert(1)",
        "\u{2028}javascript:alert(1)", "java\u{AD}script:alert(1)", "java\u{200B}script:alert(1)",
        "java%73cript:alert(1)",
        "javascript&colon;alert(1)", "&#106;avascript:alert(1)", "javascript%3Aalert(1)", "ｊavascript:alert(1)",
        "javascript\u{301}:alert(1)", "javascript\u{7F}:alert(1)",
        "data:text/html,<script>alert(1)</script>", "DATA:text/html;base64,AAAA", "da\tta:text/html,x",
        "vbscript:msgbox(1)", "VbScript:x", "file:///etc/passwd", "FILE://host/share", "fi\nle:///etc/passwd",
        "blob:https://example.com/1", "about:blank", "view-source:https://example.com",
        "view-source:javascript:alert(1)",
        "filesystem:https://example.com/temporary/a", "content://com.example/1",
    ])
    func `no spelling of a forbidden scheme is allowed`(link: String) {
        if let scheme = LinkScheme(of: link) { #expect(scheme.isForbidden, "\(scheme.name)") }
    }

    @Test(arguments: ["javascript", "data", "file", "vbscript", "blob", "about", "view-source"])
    func `a forbidden scheme is named`(name: String) throws {
        for spelling in [name, name.uppercased(), name.prefix(1).uppercased() + name.dropFirst()] {
            let scheme = try #require(LinkScheme(of: "\(spelling):something"))
            #expect(scheme.name == name)
            #expect(scheme.isForbidden)
        }
    }
}

extension LinkSchemeTests {
    /// Web URLs that are recognized without parsing are what Foundation's parser makes of them.
    @Test(arguments: 1...200)
    func `the fast path for web URLs agrees with URL's parser`(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let pieces = [
            "https://", "http://", "HTTPS://", "a", "example.com", ".", "-", "/", "//", "?", "&", "=", "+", ",", ";",
            ":",
            "@", "!", "$", "*", "~", "_", "%", "%2F", "#", "[", "]", "\\", " ", "é", "1", "\u{7F}", "user", "80",
        ]
        let link = "https://" + (0..<random(9)).map { _ in pieces[random(pieces.count)] }.joined()
        guard let plain = LinkScheme.plainWebScheme(of: link) else { return }
        let url = URL(string: link)
        #expect(url?.scheme == plain, "\(link)")
        #expect(url?.host()?.isEmpty == false, "\(link)")
        #expect(url?.absoluteString == link)
    }
}
