import Foundation
import Groundwork
import InboxTesting
import Replica
import Testing

@testable import InboxMail

/// Search on a device without a server.
@Suite(.timeLimit(.minutes(10))) struct MailSearchTests {
    @Test func `a search returns the newest mails up to the limit, with matches marked`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID())")
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.clock = ManualClock()
        let mail = try await Mail.open(
            server: URL(string: "https://mail.example")!,
            credentials: .bearer(user: "me") { "" },
            directory: directory,
            configuration: configuration
        )
        // The ids and the order of arrival don't follow the dates.
        let emails = [3, 1, 5, 2, 4].map { number in
            email("m\(9 - number)", "T\(number)", at: number, subject: "Plan \(number)", preview: "A planned trip")
        }
        try await mail.store.write { writer in
            _ = try writer.apply(
                .email,
                (emails + [email("other", "T", at: 9)]).map { try JSONText(checking: $0.utf8) }
            )
        }
        let found = try await mail.search("plan", limit: 3)
        #expect(found.map(\.id) == ["m4", "m5", "m6"])
        for (result, number) in zip(found, [5, 4, 3]) {
            #expect(result.message.id == result.id && result.subject.text == "Plan \(number)")
            #expect(result.subject.ranges.map { String(result.subject.text[$0]) } == ["Plan"])
            #expect(result.snippet.ranges.map { String(result.snippet.text[$0]) } == ["planned"])
        }
        #expect(try await mail.search("plan").count == 5)
        #expect(try await mail.search("plan", limit: 0).isEmpty)
        await mail.close()
        try FileManager.default.removeItem(at: directory)
    }

    @Test(arguments: [
        ("a [b] c [d]", "a b c d", ["b", "d"]), ("[a [b] c]", "a b c", ["a b"]), ("a] [b", "a b", []), ("", "", []),
        ("[ä]\u{301}[👨‍👩‍👧]", "ä\u{301}👨‍👩‍👧", ["ä", "👨‍👩‍👧"]),
    ])
    func `highlight marks are removed from the text, also unpaired ones`(marked: String, text: String, places: [String])
    {
        let highlighted = HighlightedText(marked, from: "[", to: "]")
        #expect(highlighted.text == text)
        let found = highlighted.ranges.map { String(highlighted.text.utf8[$0]) ?? "" }
        #expect(found == places)
    }
}
