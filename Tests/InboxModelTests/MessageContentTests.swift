import Foundation
import Groundwork
import InboxModel
import Testing

/// The limits of a sender's message, and the errors beyond them.
@Suite(.timeLimit(.minutes(5))) struct MessageContentTests {
    private static let now = Date(milliseconds: 1_777_622_400_000)

    private func check(_ message: JSON) throws -> MessageContent {
        try MessageContent(checking: JSONReader(message, at: JSONPointer(["message"])), now: Self.now)
    }

    /// The pointer and the problem of a rejected message; nil if it is accepted.
    private func refusal(_ message: JSON) -> String? {
        do {
            _ = try check(message)
            return nil
        } catch {
            return (error as? JSONValueError)?.description ?? "\(error)"
        }
    }

    /// A field that is declared and that nothing checks would be accepted and lost.
    @Test func `every field that a sender may set is kept`() throws {
        let sent: JSON = [
            "surface": "offers", "title": "Title", "body": "Body", "html": "<p>HTML",
            "media": ["url": "https://example.com/a.png"], "actions": [["text": "Open"]], "templateId": "template",
            "category": "News", "groupKey": "group", "priority": 1, "pinned": true,
            "deliverAt": "2026-05-02T08:00:00Z", "expiresAt": "2026-05-03T08:00:00Z", "consentCategory": "marketing",
            "additionalData": ["key": "value"], "campaignId": "campaign", "link": "https://example.com/",
            "dismissButton": "circle",
        ]
        let sendable = MessageField.sendable.map(\.rawValue).sorted()
        #expect(sent.objectValue?.members.map(\.name).sorted() == sendable, "a new field is sent here too")
        let content = try check(sent)
        #expect(content.deliverAt != nil && content.expiresAt != nil)
        #expect((content.json.members.map(\.name) + ["deliverAt", "expiresAt"]).sorted() == sendable)
    }

    /// A message with a title and one more field.
    private func message(_ name: String, _ value: JSON) -> JSON {
        var object = JSONObject([("title", "A title")])
        object[name] = value
        return .object(object)
    }

    private func action(_ name: String, _ value: JSON) -> JSON {
        var object = JSONObject([("text", "Open")])
        object[name] = value
        return message("actions", [.object(object)])
    }

    private static func text(bytes: Int) -> JSON {
        // The last letter has two bytes: limits count bytes.
        .string(String(repeating: "a", count: bytes - 2) + "ä")
    }

    private static func web(bytes: Int) -> JSON {
        let start = "https://example.com/"
        return .string(start + String(repeating: "a", count: bytes - start.utf8.count))
    }

    // MARK: - Accepted

    @Test func `a whole message is accepted as it was sent`() throws {
        let sent = try JSON(
            parsing: #"""
                {"surface":"offers","title":"T","body":"B","html":"<p>H</p>",
                 "media":{"url":"https://example.com/a.png","darkUrl":"https://example.com/b.png","alt":"A"},
                 "actions":[{"id":"go","text":"Go","type":"primary","value":"v","link":"myapp://go","actionType":"webBrowser"}],
                 "templateId":"t1","category":"News","groupKey":"g","priority":-5,"pinned":true,
                 "consentCategory":"marketing","additionalData":{"k":"v"},"campaignId":"c1"}
                """#.utf8
        )
        let content = try check(sent)
        #expect(JSON.object(content.json) == sent)
        #expect(content.surface == "offers")
        #expect(content.deliverAt == nil)
        #expect(content.expiresAt == nil)
    }

    /// The first block of the page, which readers copy: it has no date that passes soon.
    @Test func `the sample of Messages.md can be sent as it is`() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: package.appending(path: "Documentation/Messages.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```json\n"))
        let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
        let sample = try JSON(parsing: Array(page[start.upperBound..<end.lowerBound].utf8))
        let later = try #require(RFC3339.date(from: "2098-01-01T00:00:00Z"))
        let content = try MessageContent(checking: JSONReader(sample), now: later)
        #expect(content.surface == "inbox")
    }

    @Test func `delivery and expiry dates are separate from the content`() throws {
        let content = try check(
            ["title": "T", "deliverAt": "2026-06-01T00:00:00Z", "expiresAt": "2026-06-02T00:00:00.5Z"]
        )
        #expect(content.deliverAt == RFC3339.date(from: "2026-06-01T00:00:00Z"))
        #expect(content.expiresAt == RFC3339.date(from: "2026-06-02T00:00:00.5Z"))
        #expect(content.json.names == ["surface", "title"])
    }

    @Test func `missing members have their defaults`() throws {
        let content = try check(["body": "B", "title": .null, "actions": [["text": "A"], ["text": "B", "link": ""]]])
        #expect(content.surface == "inbox")
        #expect(
            JSON.object(content.json)
                == [
                    "surface": "inbox", "body": "B", "actions": [["id": "1", "text": "A"], ["id": "2", "text": "B"]],
                ]
        )
    }

    @Test func `generated action ids avoid the given ones`() throws {
        let given: JSON = [
            ["text": "a"], ["text": "b", "id": "1"], ["text": "c"], ["text": "d", "id": "4"], ["text": "e"],
        ]
        let content = try check(message("actions", given))
        let ids = content.json["actions"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids == ["2", "1", "3", "4", "5"])
    }

    @Test(arguments: ["title", "body", "html"])
    func `one visible field is enough`(field: String) throws {
        #expect(throws: Never.self) { try check(.object(JSONObject([(field, "x")]))) }
        #expect(throws: Never.self) { try check(["media": ["url": "https://example.com/a"]]) }
    }

    @Test func `an unknown action type is accepted`() throws {
        #expect(throws: Never.self) { try check(action("actionType", "hologram")) }
    }

    // MARK: - Limits, at and one beyond

    @Test(arguments: [
        ("title", 1000), ("body", 65_536), ("html", 524_288), ("surface", 256), ("templateId", 256), ("category", 256),
        ("groupKey", 256), ("consentCategory", 256), ("campaignId", 256),
    ])
    func `text is limited in bytes`(field: String, limit: Int) {
        #expect(refusal(message(field, Self.text(bytes: limit))) == nil)
        #expect(
            refusal(message(field, Self.text(bytes: limit + 1))) == "/message/\(field) has more than \(limit) bytes"
        )
    }

    @Test(arguments: [("text", 200), ("id", 256), ("type", 256), ("actionType", 256), ("value", 4096)])
    func `an action's text is limited in bytes`(field: String, limit: Int) {
        #expect(refusal(action(field, Self.text(bytes: limit))) == nil)
        #expect(
            refusal(action(field, Self.text(bytes: limit + 1)))
                == "/message/actions/0/\(field) has more than \(limit) bytes"
        )
    }

    @Test func `URLs are limited in bytes`() {
        func media(_ name: String, _ bytes: Int) -> JSON {
            var object = JSONObject([("url", "https://example.com/a")])
            object[name] = Self.web(bytes: bytes)
            return message("media", .object(object))
        }
        for name in ["url", "darkUrl"] {
            #expect(refusal(media(name, 4096)) == nil)
            #expect(refusal(media(name, 4097)) == "/message/media/\(name) has more than 4096 bytes")
        }
        #expect(refusal(action("link", Self.web(bytes: 4096))) == nil)
        #expect(refusal(action("link", Self.web(bytes: 4097))) == "/message/actions/0/link has more than 4096 bytes")
        func alt(_ bytes: Int) -> JSON { ["media": ["url": "https://example.com/a", "alt": Self.text(bytes: bytes)]] }
        #expect(refusal(alt(1000)) == nil)
        #expect(refusal(alt(1001)) == "/message/media/alt has more than 1000 bytes")
    }

    @Test func `the number of actions is limited`() {
        func actions(_ count: Int) -> JSON { message("actions", .array((0..<count).map { _ in ["text": "Open"] })) }
        #expect(refusal(actions(10)) == nil)
        #expect(refusal(actions(11)) == "/message/actions has more than 10 actions")
    }

    @Test(arguments: [(-1001, false), (-1000, true), (1000, true), (1001, false)])
    func `the priority is limited to its range`(priority: Int, isTaken: Bool) {
        #expect(
            refusal(message("priority", JSON(priority)))
                == (isTaken ? nil : "/message/priority has to be from -1000 to 1000")
        )
    }

    @Test func `additional data is limited`() {
        func pairs(_ count: Int) -> JSON {
            message("additionalData", .object(JSONObject((0..<count).map { ("key\($0)", "value") })))
        }
        #expect(refusal(pairs(100)) == nil)
        #expect(refusal(pairs(101)) == "/message/additionalData has more than 100 pairs")

        func pair(_ key: Int, _ value: Int) -> JSON {
            message(
                "additionalData",
                .object(JSONObject([(String(repeating: "k", count: key), Self.text(bytes: value))]))
            )
        }
        #expect(refusal(pair(256, 8192)) == nil)
        let beginning = String(repeating: "k", count: 32)
        #expect(
            refusal(pair(257, 8192)) == "/message/additionalData has the name \"\(beginning)…\" of more than 256 bytes"
        )
        #expect(refusal(pair(1, 8193)) == "/message/additionalData/k has more than 8192 bytes")
    }

    @Test func `expiry has to be later than now and than delivery`() {
        let problem = "/message/expiresAt has to be later than now and deliverAt"
        #expect(refusal(message("expiresAt", JSON(Self.now))) == problem)
        #expect(refusal(message("expiresAt", JSON(Self.now.addingTimeInterval(0.001)))) == nil)
        func window(_ deliver: Double, _ expire: Double) -> JSON {
            [
                "title": "T", "deliverAt": JSON(Self.now.addingTimeInterval(deliver)),
                "expiresAt": JSON(Self.now.addingTimeInterval(expire)),
            ]
        }
        #expect(refusal(window(60, 60)) == problem)
        #expect(refusal(window(60, 61)) == nil)
        #expect(refusal(window(-60, -30)) == problem)
        #expect(refusal(window(-60, 1)) == nil)
    }

    // MARK: - Rejected

    @Test(
        arguments: [
            ([], "/message has to be an object"),
            ("text", "/message has to be an object"),
            ([:], "/message needs at least one of title, body, html, media"),
            (["title": "", "body": "", "html": ""], "/message needs at least one of title, body, html, media"),
            (["title": 1], "/message/title has to be a string"),
            (["title": "T", "surface": ""], "/message/surface has to be a string that isn't empty"),
            (["title": "T", "actions": [["link": "https://e.com"]]], "/message/actions/0/text is required"),
            (
                ["title": "T", "actions": [["text": "A"], ["text": ""]]],
                "/message/actions/1/text has to have a visible character"
            ),
            (
                ["title": "T", "actions": [["text": " \t\u{A0}\u{200B}\u{FEFF}"]]],
                "/message/actions/0/text has to have a visible character"
            ),
            (["title": "T", "surface": "a\nb"], "/message/surface must not have control characters"),
            (["title": "T", "surface": "a\u{7F}"], "/message/surface must not have control characters"),
            (["title": "T", "surface": "\u{9F}a"], "/message/surface must not have control characters"),
            (["title": "T", "category": ""], "/message/category has to be a string that isn't empty"),
            (["title": "T", "pinned": "yes"], "/message/pinned has to be true or false"),
            (["title": "T", "priority": "1"], "/message/priority has to be a whole number"),
            (["title": "T", "deliverAt": 0], "/message/deliverAt has to be a string"),
            (
                ["title": "T", "deliverAt": "tomorrow"],
                "/message/deliverAt has to be an RFC 3339 date in UTC, such as 2026-05-01T08:00:00Z"
            ),
            (["title": "T", "media": "https://example.com"], "/message/media has to be an object"),
            (["media": [:]], "/message/media needs at least one of url, bundle, icon"),
            (["media": ["url": "example.com/a"]], "/message/media/url has to be an http or https URL"),
            (["media": ["url": "myapp://a"]], "/message/media/url has to be an http or https URL"),
            (["media": ["url": "data:image/png;base64,AA"]], "/message/media/url has to be an http or https URL"),
            (
                ["media": ["url": "https://example.com", "darkUrl": "javascript:x"]],
                "/message/media/darkUrl has to be an http or https URL"
            ),
            (
                ["media": ["url": "https://example.com", "size": 1]],
                "/message/media/size is not a known field; known are alt, bundle, darkBundle, darkUrl, height, icon, url, width"
            ),
            (
                ["media": ["url": "https://example.com", "width": 0]],
                "/message/media/width has to be from 1 to 100000"
            ),
            (
                ["media": ["url": "https://example.com", "height": "9"]],
                "/message/media/height has to be a whole number"
            ),
            (
                ["media": ["url": "https://example.com", "bundle": ""]],
                "/message/media/bundle has to be a string that isn't empty"
            ),
            (["title": "T", "link": "javascript:alert(1)"], "/message/link must not use the scheme javascript:"),
            (["title": "T", "link": "nowhere"], "/message/link has to be a URL with a scheme"),
            (
                ["title": "T", "dismissButton": "spiral"],
                "/message/dismissButton has to be one of none, simple, circle"
            ),
            (["title": "T", "actions": ["text": "A"]], "/message/actions has to be an array"),
            (["title": "T", "actions": ["A"]], "/message/actions/0 has to be an object"),
            (["title": "T", "actions": [["text": "A"], [:]]], "/message/actions/1/text is required"),
            (
                ["title": "T", "actions": [["text": "A", "id": ""]]],
                "/message/actions/0/id has to be a string that isn't empty"
            ),
            (
                ["title": "T", "actions": [["text": "A", "id": "x"], ["text": "B", "id": "x"]]],
                "/message/actions/1/id is already the id of another action"
            ),
            (
                ["title": "T", "actions": [["text": "A", "icon": "x"]]],
                "/message/actions/0/icon is not a known field; known are actionType, id, link, text, type, value"
            ),
            (["title": "T", "additionalData": ["a/b": 1]], "/message/additionalData/a~1b has to be a string"),
            (["title": "T", "additionalData": [["a": "b"]]], "/message/additionalData has to be an object"),
        ] as [(JSON, String)]
    )
    func `an error about an invalid part names it exactly`(message: JSON, problem: String) {
        #expect(refusal(message) == problem)
    }

    @Test(arguments: ["id", "seenAt", "readAt", "archivedAt", "snoozedUntil", "deletedAt", "Title", "extra", "a/b~c"])
    func `a field that senders can't set is rejected`(field: String) {
        let pointer = JSONPointer(["message", field]).description
        #expect(refusal(message(field, "x"))?.hasPrefix("\(pointer) is not a known field; known are actions, ") == true)
        // A null value is rejected too.
        #expect(refusal(message(field, .null))?.hasPrefix("\(pointer) is not a known field") == true)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x",
    ])
    func `a link with a forbidden scheme is rejected by the scheme's name`(link: String) {
        let scheme = link.prefix { $0 != ":" }.lowercased()
        #expect(refusal(action("link", .string(link))) == "/message/actions/0/link must not use the scheme \(scheme):")
    }

    @Test(arguments: [
        " javascript:alert(1)", "java\tscript:alert(1)", "java\nscript:x", "example.com", "/path", "https://",
    ])
    func `a link that isn't a URL is rejected`(link: String) {
        #expect(refusal(action("link", .string(link))) == "/message/actions/0/link has to be a URL with a scheme")
    }

    @Test(arguments: ["https://example.com", "myapp://orders/7", "mailto:a@example.com"])
    func `a link to the web or to an app is accepted`(link: String) {
        #expect(refusal(action("link", .string(link))) == nil)
    }

    @Test func `a rejection never repeats the value`() {
        #expect(refusal(action("link", "javascript:hunter2"))?.contains("hunter2") == false)
        #expect(refusal(message("deliverAt", "hunter2"))?.contains("hunter2") == false)
    }

    @Test func `texts become normal form C, and ids, links and HTML are left alone`() throws {
        let decomposed = JSON.string("Cafe\u{301}")
        let link: JSON = "https://example.com/cafe\u{301}"
        let content = try check([
            "title": decomposed, "body": decomposed, "category": decomposed, "groupKey": decomposed,
            "surface": decomposed,
            "additionalData": ["cle\u{301}": decomposed], "html": decomposed, "templateId": decomposed,
            "campaignId": decomposed,
            "media": ["url": link], "actions": [["text": "Go", "value": decomposed, "link": link]],
        ])
        func bytes(_ value: JSON?) -> [UInt8] { Array(value?.stringValue?.utf8 ?? "".utf8) }
        for name in ["title", "body", "category", "groupKey", "surface"] {
            #expect(bytes(content.json[name]) == Array("Café".utf8), "\(name)")
        }
        #expect(Array(content.surface.utf8) == Array("Café".utf8))
        #expect(bytes(content.json["additionalData"]?["cle\u{301}"]) == Array("Café".utf8))
        for name in ["html", "templateId", "campaignId"] {
            #expect(bytes(content.json[name]) == bytes(decomposed), "\(name)")
        }
        #expect(bytes(content.json["media"]?["url"]) == bytes(link))
        let action = content.json["actions"]?.arrayValue?.first
        #expect(bytes(action?["value"]) == bytes(decomposed) && bytes(action?["link"]) == bytes(link))
    }
}
