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

    @Test func `sizes that no file has are bounded, and a draft of such files has a progress`() throws {
        let files = ["9223372036854775807", "-9223372036854775808", "1e30", "4.5"].compactMap { size in
            file(["size": (try? JSON(parsing: Array(size.utf8))) ?? .null])
        }
        #expect(files.map(\.size) == [1 << 48, 0, 0, 0])
        var text = DraftText()
        text.add(files, ofMail: "M1")
        // As an earlier version has kept them.
        for index in text.files.indices { text.files[index].size = index == 1 ? .min : .max }
        text.files[0].blobID = nil
        var document = DraftDocument(id: "d1", text: text, job: DraftJob(token: "d1", editedAt: 0))
        document.job.orderSending(at: 0, now: 0, newToken: "d2")
        document.job.isUploading = true
        guard case .uploading(let fraction) = document.state else { throw Unexpected("\(document.state)") }
        #expect((0.6...0.7).contains(fraction))
        #expect(text.files.map(DraftAttachment.init).map(\.size) == [1 << 48, 0, 1 << 48, 1 << 48])
    }

    private struct Unexpected: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// - Parameter isSame: Whether all have the same bytes.
    @Test(arguments: [false, true])
    func `the files of a hostile mail are read and forwarded in linear time`(isSame: Bool) {
        let parts = (0..<30_000).map { number -> JSON in
            [
                "blobId": .string(isSame ? "B" : "B\(number)"), "type": "text/plain", "size": 3,
                "name": .string("\(number).txt"),
            ]
        }
        let mail: JSON = ["attachments": .array(parts)]
        let time = ContinuousClock().measure {
            var text = DraftText()
            text.add(MailBody.files(mail).map(\.file), ofMail: "M1")
            #expect(Set(text.files.map(\.id)).count == parts.count)
        }
        #expect(time < .seconds(20))
    }

    @Test func `the pictures that a hostile mail shows are found in linear time`() {
        let parts = (0..<30_000).map { number -> JSON in
            ["blobId": .string("B\(number)"), "type": "image/png", "size": 3, "cid": .string("\(number)")]
        }
        let html = parts.indices.map { "<img src=\"cid:\($0)\">" }.joined()
        let mail: JSON = [
            "htmlBody": [["partId": "1", "type": "text/html"]], "attachments": .array(parts),
            "bodyValues": ["1": ["value": .string(html)]],
        ]
        let time = ContinuousClock().measure { #expect(MailBody(mail).shownFiles.count == parts.count) }
        #expect(time < .seconds(20))
    }

    @Test func `only pictures that aren't attached are inline`() {
        #expect(file(["disposition": "inline"])?.isInline == true)
        #expect(file(["cid": "x"])?.isInline == true)
        #expect(file(["cid": "x", "disposition": "attachment"])?.isInline == false)
        #expect(file(["disposition": "inline", "type": "application/pdf"])?.isInline == false)
        #expect(file(["blobId": .null]) == nil)
    }
}
