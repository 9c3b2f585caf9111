import InboxClient
import Testing

@testable import inbox

/// The connection's state in the header of a watching command.
@Suite(.timeLimit(.minutes(5))) struct WatchFrameTests {
    private func header(_ connection: ConnectionState) -> String {
        let frame = WatchFrame(
            name: "alice",
            connection: connection,
            login: "inbox login",
            unread: 2,
            total: 5,
            hasPendingWrites: false,
            footer: ""
        )
        let size = Terminal.Size(columns: 100, rows: 20)
        return frame.lines(around: [], linesPerItem: 1, noun: "message", size: size).first ?? ""
    }

    @Test(arguments: [
        (OfflineReason.Code.notConnected, "offline"), (.timedOut, "no response"), (.serverError, "server error 503"),
        (.rateLimited, "rate limited"), (.noToken, "no token"), (.invalidAnswer, "invalid response"),
    ])
    func `the reason for being offline is one or two words`(code: OfflineReason.Code, words: String) {
        let reason = OfflineReason(code, status: code == .serverError ? 503 : nil, description: "")
        #expect(header(.offline(reason: reason, nextTry: nil)).contains(words))
        #expect(header(.offline(reason: reason, nextTry: nil)).contains("offline") == (code == .notConnected))
    }

    @Test func `an expired login differs from a refused one`() {
        #expect(header(.unauthorized(reason: TokenRefusal(.expired))).contains("login expired"))
        #expect(header(.unauthorized(reason: TokenRefusal(.unspecified))).contains("login refused"))
        #expect(header(.live).contains("2 unread"))
    }
}
