import Foundation
import InboxClient
import Testing

/// The README's example, so that it compiles. The test compares the two.
private struct ReadmeExample: Sendable {
    let myBackend: Backend
    let folder: URL
    let screen: @Sendable ([Message], Int) -> Void

    struct Backend: Sendable {
        func inboxToken() async throws -> String { "" }
    }

    func show(_ messages: [Message], badge: Int) { screen(messages, badge) }

    func run() async throws {
        // README
        let inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example.com")!,
            person: "alice",
            directory: folder  // of your app, such as one in Application Support
        ) {
            try await myBackend.inboxToken()  // from POST /v1/people/alice/tokens
        }
        for try await snapshot in inbox.observe() {
            show(snapshot.messages, badge: snapshot.counts.unread)
        }
        // end
    }
}

@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    @Test func `the README's example is the one that compiles`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func words(_ text: Substring) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
        let source = try String(contentsOf: here, encoding: .utf8)
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(source.range(of: "// README\n"))
        let end = try #require(source.range(of: "// end\n"))
        let fence = try #require(readme.range(of: "import InboxClient\n"))
        let close = try #require(readme.range(of: "```", range: fence.upperBound..<readme.endIndex))
        #expect(words(source[start.upperBound..<end.lowerBound]) == words(readme[fence.upperBound..<close.lowerBound]))
    }
}
