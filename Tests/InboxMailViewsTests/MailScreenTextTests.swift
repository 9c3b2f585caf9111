import Foundation
import InboxCards
import InboxMail
@testable import InboxMailViews
import InboxTesting
import Testing

/// The texts of screens of mail, in each language.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailScreenTextTests {
    @Test(arguments: CardLanguage.allCases)
    func `each change, place and mailbox has a name in each language`(_ language: CardLanguage) {
        let texts = CardTexts(language)
        let changes: [MailChange] = [
            .markRead, .markUnread, .star, .unstar, .archive, .unarchive, .trash, .move(to: "x"),
        ]
        let names = changes.map { texts.name(of: $0) }
        #expect(Set(names).count == changes.count && names.allSatisfy { !$0.isEmpty })
        #expect(changes.allSatisfy { !texts.pastName(of: $0).isEmpty })
        let roles: [Mailbox.Role] = [.inbox, .archive, .drafts, .sent, .trash, .junk, .all, .important]
        let places = roles.map { texts.name(of: .mailbox(id: "x", role: $0), nil) } + [texts.name(of: .starred, nil)]
        #expect(Set(places).count == places.count && places.allSatisfy { !$0.isEmpty })
    }

    @Test func `a row's accessibility label has what it shows, its marks and its files`() async throws {
        let device = try await MailDevice()
        device.deliver("Lunch", id: "one", keywords: ["$flagged"], files: [("a.pdf", "application/pdf", [1])])
        device.deliver(" ", text: "At noon", id: "two", answering: "one", keywords: ["$draft", "$seen"], in: "drafts")
        try await device.mail.sync()
        let thread = try #require(try await device.mail.threads().first)
        let label = CardTexts(.english).label(of: MailScreenModel.Row(thread), names: "Ada", time: "now")
        #expect(label == "Unread, Starred, Draft, Ada, Lunch, now, Hello, Messages (2), Files")
        #expect(CardTexts(.english).subject(" ") == "(No Subject)")
    }

    @Test func `times are kept up to date while they are shown`() async throws {
        let clock = ManualClock()
        let model = RelativeTimeModel(texts: CardTexts(.english), timeZone: .gmt, clock: clock)
        let time = clock.now.addingTimeInterval(-60)
        model.show([time])
        #expect(model.text(time) == "1 minute ago")
        clock.advance(by: 60)
        for _ in 0..<20_000 where model.text(time) != "2 minutes ago" { try await Task.sleep(for: .milliseconds(2)) }
        #expect(model.text(time) == "2 minutes ago")
        model.texts = CardTexts(.german)
        #expect(model.text(time) == "vor 2 Minuten")
    }
}
