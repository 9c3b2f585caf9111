import Foundation
import Groundwork
import HTMLCleaning
import Testing

@testable import InboxMail

/// A mail's HTML for a screen.
@Suite(.timeLimit(.minutes(5))) struct CleanMailTests {
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    private func body(_ html: String) -> MailBody {
        MailBody([
            "htmlBody": [["partId": "1", "type": "text/html"]], "textBody": [["partId": "1", "type": "text/html"]],
            "bodyValues": ["1": ["value": .string(html)]],
            "attachments": [
                ["blobId": "B1", "type": "text/html", "size": 11, "cid": "Logo@x"],
                ["blobId": "B2", "type": "image/png", "size": 11, "cid": "script@x"],
            ],
        ])
    }

    private let html = """
        <p onclick=no()>Hi</p><img src="cid:logo%40X" alt=logo><img src="cid:script@x" alt=script>\
        <img src=cid:none@x alt=none><img src=https://pictures.example/a.png alt=far>\
        <img src=https://track.example/p width=1 height=1><script>no()</script>
        """

    @Test func `the mail's own pictures are in it, and others aren't loaded`() throws {
        let pictures = MailPictures(files: ["B1": Self.png, "B2": Data("<svg onload=no()>".utf8)])
        let mail = try #require(body(html).cleaned(title: "Hi & <you>", pictures: pictures))
        #expect(mail.html.markup.contains("src=\"data:image/png;base64,\(Self.png.base64EncodedString())\""))
        #expect(!mail.html.markup.contains("no()") && !mail.html.markup.contains("https:"))
        #expect(["logo", "script", "none", "far"].allSatisfy { mail.html.markup.contains("alt=\"\($0)\"") })
        #expect(mail.html.trackingPixelCount == 1 && mail.blockedPictureCount == 1)
        #expect(mail.missingPictures.map(\.blobID) == ["B2"], "bytes that aren't a picture's")
        #expect(mail.document.contentSecurityPolicy.contains("img-src data:;"))
        #expect(mail.document.markup.contains("<title>Hi &amp; &lt;you&gt;</title>"))
    }

    @Test func `pictures on the web are loaded if allowed, but no tracking pixels`() throws {
        let mail = try #require(body(html).cleaned(title: "", pictures: MailPictures(loadsRemote: true)))
        #expect(mail.html.markup.contains("https://pictures.example/a.png"))
        #expect(!mail.html.markup.contains("track.example") && mail.html.trackingPixelCount == 1)
        #expect(mail.blockedPictureCount == 0 && mail.missingPictures.map(\.blobID) == ["B1", "B2"])
        #expect(mail.document.contentSecurityPolicy.contains("img-src https://pictures.example;"))
    }

    @Test func `parts have the same pictures`() {
        let body = body(#"<img src="cid:logo@x"><blockquote type=cite><img src="cid:logo@x"></blockquote>"#)
        let parts = body.htmlParts(pictures: MailPictures(files: ["B1": Self.png]))
        #expect(parts.map(\.kind) == [.own, .quoted])
        #expect(parts.allSatisfy { $0.html.markup.contains("data:image/png") })
        #expect(body.shownFiles.map(\.blobID) == ["B1"])
    }

    @Test func `a picture that is shown often is limited in its total size`() throws {
        let large = Self.png + Data(count: MailPictures.maxTotalSize / 3)
        let html = String(repeating: "<img src=cid:logo@x>", count: 1_000)
        let mail = try #require(body(html).cleaned(title: "", pictures: MailPictures(files: ["B1": large])))
        #expect(mail.html.markup.utf8.count < MailPictures.maxTotalSize * 3 / 2)
        #expect(mail.html.pictureOrigins == ["data:"] && mail.missingPictures.map(\.blobID) == ["B1"])
    }

    @Test func `a mail without HTML has none`() {
        let body = MailBody([
            "textBody": [["partId": "1", "type": "text/plain"]], "bodyValues": ["1": ["value": "Hi"]],
        ])
        #expect(body.cleaned(title: "") == nil && body.htmlParts().isEmpty && !body.isTextFromHTML)
    }
}
