import Foundation
import InboxClient
import Testing

/// The README's example, so that it compiles. The test compares the two.
private struct ReadmeExample: Sendable {
    let myBackend: Backend

    struct Backend: Sendable {
        func inboxToken() async throws -> String { "" }
    }

    func run() async throws {
        // README
        let inbox = try await Inbox.open(server: URL(string: "https://inbox.example.com")!, person: "alice") {
            try await myBackend.inboxToken()  // your backend's answer to POST /v1/people/alice/tokens
        }
        for try await snapshot in inbox.observe() {
            print(snapshot.counts.unread, "unread:", snapshot.items.map(\.title))
        }
        // end
    }
}

@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    @Test func `the README's example is the one that compiles`() throws {
        let thisFile = URL(fileURLWithPath: #filePath)
        let root = thisFile.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func words(_ text: Substring) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
        let source = try String(contentsOf: thisFile, encoding: .utf8)
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(source.range(of: "// README\n"))
        let end = try #require(source.range(of: "// end\n"))
        let fence = try #require(readme.range(of: "import InboxClient\n"))
        let close = try #require(readme.range(of: "```", range: fence.upperBound..<readme.endIndex))
        #expect(words(source[start.upperBound..<end.lowerBound]) == words(readme[fence.upperBound..<close.lowerBound]))
    }

    @Test func `an inbox without a directory is in the app's own folder`() {
        let folder = Inbox.defaultDirectory
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        #expect(folder.pathComponents.suffix(2) == [app, "Inboxes"])
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        #expect(folder.path.hasPrefix(support.path + "/"))
    }
}
