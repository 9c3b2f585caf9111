import AdobeCompatibility
import Testing

@Suite(.timeLimit(.minutes(10))) struct SurfaceTests {
    @Test func `a path is relative to the app's surface`() {
        let base = Surface()
        #expect(base == Surface(path: "") && base.uri.hasPrefix("mobileapp://") && base.isValid)
        #expect(Surface(path: "home/feed#top").uri == "\(base.uri)/home/feed#top")
        #expect(Surface(path: "inbox") == Surface("\(base.uri)/inbox"))
    }

    @Test(arguments: [("mobileapp://com.example.app/inbox", true), ("inbox", false), ("", false), ("://x", false)])
    func `a URI is valid with a scheme`(_ name: String, _ expected: Bool) {
        #expect(Surface(name).isValid == expected)
    }
}
