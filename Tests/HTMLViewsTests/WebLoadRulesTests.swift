import Foundation
import HTMLViews
import Testing

/// The content rule list, read as Safari's content blockers are.
@Suite(.timeLimit(.minutes(5)))
struct WebLoadRulesTests {
    @Test func `the rules are JSON of known triggers and actions`() throws {
        let rules = try Rule.all()
        #expect(!rules.isEmpty)
        for rule in rules {
            #expect(["block", "ignore-previous-rules"].contains(rule.action))
            // WebKit reads a subset of regular expressions: no alternatives, no counts.
            #expect(!rule.filter.contains("|") && !rule.filter.contains("{"))
        }
    }

    @Test(arguments: [
        "https://example.com/a.png", "http://example.com/", "HTTPS://EXAMPLE.COM/data:image/png;base64,AAAA",
        "file:///etc/passwd", "blob:null/1", "ftp://example.com/about:blank", "cid:a@b", "app://about:blank",
        "about:srcdoc", "data:text/html,x", "data:text/css,x", "data:application/javascript,x", "ws://example.com/",
        "applewebdata://1/", "//example.com/a.png", "javascript:1", "about:blank#data:image/png",
    ])
    func `a load of another address is blocked for every type of resource`(_ url: String) throws {
        for type in Rule.types { #expect(try Rule.blocks(url, as: type), "\(type)") }
    }

    @Test func `pictures in the document and the document itself are loaded`() throws {
        #expect(try !Rule.blocks("data:image/png;base64,AAAA", as: "image"))
        #expect(try !Rule.blocks("data:image/jpeg;base64,AAAA", as: "image"))
        #expect(try !Rule.blocks("about:blank", as: "document"))
    }

    @Test func `a picture's address is blocked where no picture is expected`() throws {
        for type in Rule.types where type != "image" {
            #expect(try Rule.blocks("data:image/svg+xml,x", as: type), "\(type)")
        }
        for type in Rule.types where type != "document" { #expect(try Rule.blocks("about:blank", as: type), "\(type)") }
    }
}

/// A rule of a content blocker (Apple, "Creating a content blocker").
private struct Rule {
    let filter: String
    let types: Set<String>
    let action: String

    static let types = [
        "document", "image", "style-sheet", "script", "font", "raw", "svg-document", "media", "popup", "ping", "fetch",
        "websocket", "other",
    ]

    static func all() throws -> [Rule] {
        let json = try JSONSerialization.jsonObject(with: Data(WebLoadRules.json.utf8))
        return try #require(json as? [[String: [String: Any]]]).map { rule in
            Rule(
                filter: try #require(rule["trigger"]?["url-filter"] as? String),
                types: Set(rule["trigger"]?["resource-type"] as? [String] ?? types),
                action: try #require(rule["action"]?["type"] as? String)
            )
        }
    }

    /// The last rule that matches decides. Filters don't distinguish capitals.
    static func blocks(_ url: String, as type: String) throws -> Bool {
        var isBlocked = false
        for rule in try all() where rule.types.contains(type) {
            guard try Regex(rule.filter).ignoresCase().firstMatch(in: url) != nil else { continue }
            isBlocked = rule.action == "block"
        }
        return isBlocked
    }
}
