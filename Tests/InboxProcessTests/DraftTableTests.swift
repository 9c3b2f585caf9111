import Foundation
import Testing

@testable import InboxMail
@testable import inbox

/// The drafts in the terminal.
@Suite(.timeLimit(.minutes(2))) struct DraftTableTests {
    @Test(arguments: [60, 100])
    func `a draft that the server refuses to save says so, and why`(width: Int) throws {
        let state = DraftState.unsaved(DraftRefusal(.overQuota, "The account has no space left. Delete some mails."))
        let draft = MailDraft(id: "d1", DraftText(), updatedAt: Date(timeIntervalSince1970: 0), state: state)
        let lines = DraftTable(width: width, now: Date(timeIntervalSince1970: 60)).lines([draft])
        #expect(lines.contains { $0.contains("not saved") })
        #expect(
            DraftTable.sentence(state)
                == "It is on this device alone. The account has no space left. Delete some mails."
        )
        #expect(draft.json["state"] == "unsaved" && draft.json["code"] == "overQuota")
        #expect(draft.json["reason"]?.stringValue?.contains("no space left") ?? false)
    }
}
