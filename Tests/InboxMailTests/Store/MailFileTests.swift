import Groundwork
import Testing

@testable import InboxMail

/// Untrusted properties of a mail's attachments.
@Suite(.timeLimit(.minutes(10))) struct MailFileTests {
    private func file(_ more: KeyValuePairs<String, JSON>) -> MailFile? {
        var object = JSONObject([("blobId", "B"), ("type", "image/png"), ("size", 3)])
        for (name, value) in more { object[name] = value }
        return MailFile(.object(object))
    }

    @Test(arguments: [
        ("../../../etc/passwd", "passwd"), ("C:\\Windows\\a.txt", "a.txt"), ("a\u{202E}gpj.exe", "agpj.exe"),
        ("a\u{0}b\nc", "abc"),
        ("..", nil), ("", nil), ("/", nil), ("part", "part"), (" x ", "x"),
    ])
    func `a file name can't contain a path`(given: String, kept: String?) {
        #expect(file(["name": .string(given)])?.name == kept)
    }

    @Test func `a long file name is truncated by bytes and keeps its extension`() throws {
        let name = try #require(file(["name": .string(String(repeating: "日", count: 300) + ".pdf")])?.name)
        #expect(name.utf8.count <= 200 && name.hasSuffix("日.pdf"))
    }

    @Test func `only pictures that aren't attached are inline`() {
        #expect(file(["disposition": "inline"])?.isInline == true)
        #expect(file(["cid": "x"])?.isInline == true)
        #expect(file(["cid": "x", "disposition": "attachment"])?.isInline == false)
        #expect(file(["disposition": "inline", "type": "application/pdf"])?.isInline == false)
        #expect(file(["blobId": .null]) == nil)
    }
}
