import Testing

@testable import InboxServer
@testable import InboxService

/// The values of Content-Type and Content-Disposition headers.
@Suite(.timeLimit(.minutes(10))) struct MediaTypeTests {
    @Test(arguments: [
        ("text/plain", "text/plain"), ("Image/SVG+XML", "image/svg+xml"), ("a/b;c=d", "a/b; c=d"),
        ("a/b ;  C=D;e=\"f \\\" g\"", "a/b; c=D; e=\"f \\\" g\""), ("a/b;", "a/b"), ("a/b; ;c=d", "a/b; c=d"),
        ("application/vnd.a-b.c+json", "application/vnd.a-b.c+json"),
    ])
    func `a media type is parsed and normalized`(_ text: String, _ normalized: String) throws {
        let type = try #require(MediaType(text))
        #expect(type.text == text)
        #expect(type.normalized == normalized)
    }

    @Test(arguments: [
        "", "text", "text/", "/plain", "text/plain/x", "text /plain", "text/pl ain", "a/b, c/d", "a/b\r\nX: y", "a/b\n",
        "a/b;c", "a/b;c=", "a/b;c=\"d", "a/b;c=\"d\\", "a/b;c=\"\u{7F}\"", "a/b;c=\"é\"", "é/b", "a/b\0", " a/b",
        "a/" + String(repeating: "b", count: 254),
    ])
    func `an invalid media type is nil`(_ text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(arguments: [
        ("a.txt", "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt"),
        ("a b.txt", "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt"),
        ("€.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%E2%82%AC.txt"),
        ("..\\/\"%41\t\r\n", "attachment; filename=\"..____41___\"; filename*=UTF-8''..%5C%2F%22%2541%09%0D%0A"),
        ("'()*;=", "attachment; filename=\"'()*;=\"; filename*=UTF-8''%27%28%29%2A%3B%3D"),
    ])
    func `a file name is given in full and in ASCII`(_ name: String, _ expected: String) {
        #expect(ContentDisposition.attachment(named: name) == expected)
    }
}
