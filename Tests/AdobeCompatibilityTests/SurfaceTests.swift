import AdobeCompatibility
import Testing

@Suite(.timeLimit(.minutes(10))) struct SurfaceTests {
    @Test func path_isWithinTheApps() {
        let base = Surface()
        #expect(base == Surface(path: "") && base.uri.hasPrefix("mobileapp://") && base.isValid)
        #expect(Surface(path: "home/feed#top").uri == "\(base.uri)/home/feed#top")
        #expect(Surface(path: "inbox") == Surface("\(base.uri)/inbox"))
    }

    @Test(arguments: [("mobileapp://com.example.app/inbox", true), ("inbox", false), ("", false), ("://x", false)])
    func uri_isValidWithAScheme(_ name: String, _ expected: Bool) {
        #expect(Surface(name).isValid == expected)
    }
}
