import Foundation
import Groundwork
import Replica
import Testing

@testable import InboxMail

/// What a mail that is found on the server shows of an attempt to send it.
@Suite(.timeLimit(.minutes(5))) struct FoundMailTests {
    private func job() -> DraftJob {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 0, now: 0, newToken: "d2")
        job.beginAttempt(at: 10_000, mark: "k1", in: .init(mails: "1"))
        return job
    }

    private func mail(_ id: String, isDraft: Bool, isInTrash: Bool = false, isInSent: Bool = false) -> FoundMail {
        FoundMail(
            id: id,
            isDraft: isDraft,
            isForSending: true,
            hasBcc: false,
            isInTrash: isInTrash,
            isInSent: isInSent,
            sentAt: 10_000
        )
    }

    @Test func `a sent mail in the trash isn't sent again, and stays as it is`() {
        var job = job()
        let maySend = job.found([mail("M1", isDraft: false, isInTrash: true)], at: 20_000, hasBcc: true)
        #expect(!maySend)
        #expect(job.outcome == .sent(emailID: "M1", at: 20_000) && job.aftermath == nil)
    }

    @Test func `an attempt whose mail is in the trash may have been sent`() {
        var job = job()
        let maySend = job.found([mail("M1", isDraft: true, isInTrash: true)], at: 20_000, hasBcc: false)
        #expect(!maySend)
        _ = job.found([mail("M1", isDraft: true, isInTrash: true)], at: 200_000, hasBcc: false)
        #expect(job.outcome == .unknown(since: 10_000) && job.ownVersions.isEmpty)
    }

    @Test func `a mail that may have been sent isn't destroyed by the next save`() {
        var job = job()
        _ = job.found([mail("M1", isDraft: true)], at: 200_000, hasBcc: false)
        #expect(job.outcome == .unknown(since: 10_000) && job.ownVersions == ["M1"])
        job.edit(at: 210_000)
        job.beginSaving(messageID: "v1")
        job.didSave("M2", at: 220_000)
        #expect(job.next(at: 220_000, lacksUploads: false) == .trash(["M1"]))
    }

    @Test func `a received copy proves that the mail among the drafts was sent`() {
        var job = job()
        let found = [mail("M2", isDraft: false), mail("M1", isDraft: true)]
        let maySend = job.found(found, at: 20_000, hasBcc: false)
        #expect(!maySend)
        #expect(job.outcome == .sent(emailID: "M1", at: 20_000) && job.aftermath?.isToBeMoved == true)
    }

    /// A job whose attempt was refused. Another program has moved its mail before this device has removed it.
    private func jobWithMovedMail() -> DraftJob {
        var job = job()
        let answer = SendAnswer.refused(DraftRefusal(.overQuota, "full"), emailID: "M1")
        job.answered(answer, at: 11_000, hasBcc: false, jitter: 0)
        job.didDestroy([], refused: ["M1"], at: 12_000)
        job.orderSending(at: 15_000, now: 15_000, newToken: "d2")
        return job
    }

    @Test(arguments: [false, true])
    func `a mail that certainly wasn't submitted doesn't keep the draft from being sent`(isInTrash: Bool) {
        var job = jobWithMovedMail()
        let maySend = job.found([mail("M1", isDraft: true, isInTrash: isInTrash)], at: 20_000, hasBcc: false)
        #expect(maySend && job.outcome == nil)
    }

    @Test func `a mail that certainly wasn't submitted doesn't count as sent when it is moved`() {
        var job = jobWithMovedMail()
        let maySend = job.found([mail("M1", isDraft: false)], at: 20_000, hasBcc: false)
        guard case .refused(let refusal) = job.outcome else {
            Issue.record("\(job.outcome.map { "\($0)" } ?? "none")")
            return
        }
        #expect(!maySend && refusal.code == .alreadySent && refusal.description.contains("out of the drafts"))
        // The next order sends it.
        job.orderSending(at: 25_000, now: 25_000, newToken: "d2")
        #expect(job.token == "d2" && job.next(at: 25_000, lacksUploads: false) == .send)
    }

    @Test func `a sent mail of an earlier text refuses the changed one as alreadySent`() {
        var job = job()
        job.attempt = nil
        job.revoke()
        job.edit(at: 15_000)
        job.orderSending(at: 16_000, now: 16_000, newToken: "d2")
        _ = job.found([mail("M1", isDraft: false, isInSent: true)], at: 20_000, hasBcc: false)
        guard case .refused(let refusal) = job.outcome else {
            Issue.record("\(job.outcome.map { "\($0)" } ?? "none")")
            return
        }
        #expect(refusal.code == .alreadySent)
    }
}
