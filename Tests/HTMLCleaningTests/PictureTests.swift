import HTMLCleaning
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PictureTests {
    @Test func `every picture is reported with its address, text and size`() {
        let message = HTMLCleaner().clean(
            "<img src=https://a/b alt=c width=600 height=20><img src=cid:d@e style='width:50px;height:auto'>"
                + "<td background=//f/g><p style='background:url(https://h/i) red'>"
        )
        #expect(message.pictures.map(\.url) == ["https://a/b", "cid:d@e", "https://h/i"])
        let cell = HTMLCleaner().clean("<table><td background=//f/g>")
        #expect(cell.pictures.map(\.url) == ["https://f/g"])
        #expect(cell.markup.contains("<td style=\"background-image: url('https://f/g')\">"))
        #expect(message.pictures.map(\.width) == [600, 50, nil])
        #expect(message.pictures.map(\.height) == [20, nil, nil])
        #expect(message.pictures.map(\.alternative) == ["c", "", ""])
        #expect(message.pictures.map(\.use) == [.image, .image, .background])
        #expect(message.pictures.map(\.isTrackingPixel) == [false, false, false])
    }

    @Test func `tracking pixels are removed and counted`() {
        let pixels = [
            "width=1 height=1", "height=0", "style='width:1px'", "hidden", "style='display:none'",
            "style='visibility:hidden'",
        ]
        for pixel in pixels {
            let message = HTMLCleaner().clean("<img src=https://a/b \(pixel)>") { _ in
                Issue.record("asked for \(pixel)")
                return .keep
            }
            #expect(message.markup == "")
            #expect(message.trackingPixelCount == 1)
            #expect(message.pictures.map(\.isTrackingPixel) == [true])
        }
        #expect(HTMLCleaner().clean("<div style='display:none'><b><img src=https://a/b>").trackingPixelCount == 1)
        #expect(
            HTMLCleaner(.init(removesTrackingPixels: false)).clean("<img src=https://a/b width=1>").markup.contains(
                "src"
            )
        )
    }

    @Test func `a picture is kept, replaced, shown as its text or removed`() {
        func image(_ decision: HTMLPicture.Decision) -> String {
            HTMLCleaner().clean("<img alt=a src=cid:b@c width=9>", pictures: { _ in decision }).markup
        }
        let placeholder = "<img alt=\"a\" width=\"9\">"
        #expect(image(.keep) == "<img src=\"cid:b@c\" alt=\"a\" width=\"9\">")
        #expect(image(.replace("/pictures/1")) == "<img src=\"/pictures/1\" alt=\"a\" width=\"9\">")
        #expect(
            image(.replace("data:image/PNG;base64,AAAA"))
                == "<img src=\"data:image/png;base64,AAAA\" alt=\"a\" width=\"9\">"
        )
        #expect(image(.placeholder) == placeholder)
        #expect(image(.remove) == "")
        for text in [
            "data:image/svg+xml;base64,AAAA", "data:text/html,a", "java\tscript:a()", " javascript:a()", "", "a b",
        ] {
            #expect(image(.replace(text)) == placeholder)
        }
    }

    @Test func `a background is resolved by the same decision, or dropped`() {
        func style(_ decision: HTMLPicture.Decision) -> String {
            HTMLCleaner().clean("<p style='background:url(https://a/b) red'>", pictures: { _ in decision }).markup
        }
        #expect(style(.keep) == "<p style=\"background: url('https://a/b') red\"></p>")
        #expect(style(.replace("/p/1'a")) == "<p style=\"background: url('/p/1%27a') red\"></p>")
        #expect(style(.placeholder) == "<p style=\"background: red\"></p>")
        #expect(style(.replace("javascript:a()")) == "<p style=\"background: red\"></p>")
    }

    @Test func `pictures in data URLs are kept only if they are allowed`() {
        let inlined = "<img src=\"data:image/png;base64,AAAA\">"
        #expect(clean(inlined) == "<img>")
        #expect(clean(inlined, .init(allowsDataPictures: true)) == inlined)
        #expect(clean("<img src='data:image/svg+xml;base64,AAAA'>", .init(allowsDataPictures: true)) == "<img>")
    }

    @Test func `no character ends the URL of a background`() {
        for url in ["https://a/'b", "https://a/'\u{301}b", "/'\u{301})x", "/\"\u{345}", "/\\\u{301}"] {
            let result = HTMLCleaner().clean("<p style='background:url(//a/b)'>c", pictures: { _ in .replace(url) })
            #expect(result.markup.utf8.count { $0 == UInt8(ascii: "'") } == 2, "\(url)")
            #expect(!result.markup.utf8.contains(UInt8(ascii: "\\")), "\(url)")
        }
    }
}
