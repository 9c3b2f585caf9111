import Foundation
import Groundwork
import Replica
import Testing

@testable import InboxMail

/// What a draft's job does about a saved version that this device doesn't have any more.
@Suite(.timeLimit(.minutes(5))) struct DraftJobTests {
    /// A job whose version the server has and this device doesn't, after a sync that brought it.
    private func jobWithVanishedVersion() -> DraftJob {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.beginSaving(messageID: "v1")
        job.didSave("M1", at: 10_000)
        job.saved?.isSeen = true
        job.isVanished = true
        return job
    }

    private func mail(_ id: String, isDraft: Bool = true, isInTrash: Bool = false) -> FoundMail {
        FoundMail(
            id: id,
            isDraft: isDraft,
            isForSending: false,
            hasBcc: false,
            isInTrash: isInTrash,
            isInSent: !isDraft && !isInTrash,
            sentAt: 10_000
        )
    }

    @Test func `a version that this device doesn't keep is looked for once`() {
        var job = jobWithVanishedVersion()
        #expect(job.next(at: 20_000, lacksUploads: false) == .findVanished)
        let isKept = job.foundVanished([mail("M1")])
        #expect(isKept)
        // Not after the time either within which a sync brings a new version.
        for later in [20_000, 20_000 + 2 * DraftJob.arrivalPause, 86_400_000] {
            #expect(job.next(at: later, lacksUploads: false) == .none)
        }
        #expect(!job.isUnsent)
    }

    @Test func `a change of a draft whose version isn't kept here is saved over it`() {
        var job = jobWithVanishedVersion()
        let isKept = job.foundVanished([mail("M1")])
        #expect(isKept)
        job.edit(at: 30_000)
        #expect(job.next(at: 30_000 + DraftJob.savePause, lacksUploads: false) == .save)
        job.beginSaving(messageID: "v2")
        job.didSave("M2", at: 36_000)
        #expect(job.next(at: 36_000, lacksUploads: false) == .destroy(["M1"]))
    }

    @Test func `a version that vanished without a replacement is saved again`() {
        var job = jobWithVanishedVersion()
        let isKept = job.foundVanished([])
        #expect(isKept)
        #expect(job.isUnsent)
        #expect(job.next(at: 20_000, lacksUploads: false) == .save)
    }

    /// One that was removed, and then found again as an unanswered request's, or as another device's.
    @Test func `a version listed twice is removed once`() {
        var job = jobWithVanishedVersion()
        job.isVanished = false
        job.included = ["M1", "M2"]
        job.leftovers = ["M2", "M3", "M3"]
        #expect(job.ownVersions == ["M1", "M2", "M3"])
        #expect(job.next(at: 20_000, lacksUploads: false) == .destroy(["M2", "M3"]))
        job.discard(at: 20_000)
        #expect(job.next(at: 20_000, lacksUploads: false) == .trash(["M1", "M2", "M3"]))
        job.didDestroy(["M1", "M2", "M3"], refused: [], at: 20_000)
        #expect(job.ownVersions.isEmpty)
    }

    /// The server would send it, since nothing else asks it not to.
    @Test func `a mail that is to be taken back from the server is lost with the store`() {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.beginSaving(messageID: "v1")
        job.didSave("M1", at: 1_000)
        job.orderSending(at: 3_600_000, isForLater: true, now: 2_000, newToken: "d2")
        var asked = job
        asked.beginAttempt(at: 3_000, mark: "a", in: DraftJob.AccountStates(mails: "1"), heldUntil: 3_600_000)
        asked.revoke()
        #expect(asked.isUnsent)
        job.held(DraftJob.Hold(submissionID: "s1", emailID: "M2", due: 3_600_000, isMoved: true))
        job.leftovers = []
        #expect(!job.isUnsent)
        job.discard(at: 4_000)
        #expect(job.isUnsent)
        job.cancelled(.cancelled, at: 5_000, jitter: 0)
        #expect(job.isUnsent)
    }

    /// The request to send it at its time follows one to hold it, which may still be on its way.
    @Test(arguments: [false, true])
    func `a mail that is discarded while the server refuses it stays discarded`(isPostponed: Bool) {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 60_000, isForLater: true, now: 0, newToken: "d2")
        job.beginAttempt(at: 1_000, mark: "a", in: DraftJob.AccountStates(mails: "1"), heldUntil: 60_000)
        let maySend = job.found([], in: "1", at: 50_000, hasBcc: false)
        #expect(maySend && job.holdTime(at: 60_000) == nil)
        job.beginAttempt(at: 60_000, mark: "b", in: DraftJob.AccountStates(mails: "1"))
        job.discard(at: 61_000)
        let refusal = DraftRefusal(.other, "The server refuses it.")
        let answer: SendAnswer =
            isPostponed ? .postponed(refusal, emailID: nil) : .refused(refusal, emailID: nil)
        job.answered(answer, at: 62_000, hasBcc: false, jitter: 0)
        #expect(job.order == .discard && job.outcome == nil)
        #expect(job.next(at: 62_000, lacksUploads: false) == .excludeHold)
    }

    @Test(arguments: ["final", "pending"])
    func `a submission that was or may be sent counts before one that was cancelled`(status: String) {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 3_600_000, isForLater: true, now: 0, newToken: "d2")
        job.beginAttempt(at: 1_000, mark: "a", in: DraftJob.AccountStates(mails: "1"), heldUntil: 3_600_000)
        let mail = FoundMail(
            id: "M1",
            isDraft: false,
            isForSending: true,
            hasBcc: false,
            isInTrash: false,
            isInSent: true,
            sentAt: 3_600_000
        )
        let submissions = [("s1", status), ("s2", "canceled")].map { id, status in
            DraftJob.Submission(id: id, emailID: "M1", status: status)
        }
        job.foundHold([mail], submissions, until: 3_600_000, at: 4_000_000, isExcluded: false)
        #expect(job.released == nil)
        #expect(status == "pending" ? job.hold?.submissionID == "s1" : job.hold == nil)
    }

    // MARK: - What was tried

    @Test func `requests, checks and the last failure are recorded until the next order`() {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 0, now: 0, newToken: "d2")
        #expect(job.tried == nil)
        job.noteRequest("d1@example.com", at: 1_000)
        job.beginAttempt(at: 1_000, mark: "a", in: DraftJob.AccountStates(mails: "1"))
        job.requestFailed(.malformed("first"))
        var maySend = job.found([], in: "2", at: 2_000, hasBcc: false, isExcluded: false)
        #expect(!maySend && job.tried?.checkCount == 1 && job.tried?.finding == .missing)
        // The state shows that the request wasn't carried out.
        maySend = job.found([], in: "1", at: 3_000, hasBcc: false)
        #expect(maySend)
        job.noteRequest("d1@example.com", at: 4_000)
        job.beginAttempt(at: 4_000, mark: "b", in: DraftJob.AccountStates(mails: "1"))
        #expect(job.tried?.checkCount == 0 && job.tried?.finding == nil)
        job.failed(.malformed("second"), at: 5_000, jitter: 0)
        for time in [6_000, 4_000 + DraftJob.attemptPatience] {
            _ = job.found([], in: "2", at: time, hasBcc: false, isExcluded: false)
        }
        #expect(job.outcome == .unknown(since: 4_000))
        #expect(
            job.tried
                == SendingAttempts(
                    messageID: "d1@example.com",
                    requestCount: 2,
                    firstRequestAt: Date(milliseconds: 1_000),
                    lastRequestAt: Date(milliseconds: 4_000),
                    checkCount: 2,
                    finding: .missing,
                    failure: SyncError.malformed("second").description
                )
        )
        let document = DraftDocument(id: "d1", text: DraftText(), job: job)
        #expect(document.state == .unknown(since: Date(milliseconds: 4_000), attempts: job.tried))
        job.orderSending(at: 200_000, now: 200_000, newToken: "d2")
        #expect(job.tried == nil)
    }

    /// The requests of the earlier version aren't known.
    @Test func `an order with an attempt of an earlier version has no record of what was tried`() {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 0, now: 0, newToken: "d2")
        job.beginAttempt(at: 1_000, mark: "a", in: DraftJob.AccountStates(mails: "1"))
        job.noteRequest("d1@example.com", at: 2_000)
        #expect(job.tried == nil)
    }

    /// The sender is looked up between two transactions. The person may change or take back the draft meanwhile.
    @Test func `a refused sender changes nothing of a draft that was taken back meanwhile`() {
        var read = DraftJob(token: "d1", editedAt: 0)
        read.orderSending(at: 1_000, now: 0, newToken: "d2")
        let refusal = DraftRefusal(.sender, "You may not send with this sender. Choose another one.")
        var refused = read
        refused.cannotSend(refusal, as: read)
        #expect(refused.outcome == .refused(refusal) && refused.order == nil)

        var revoked = read
        revoked.revoke()
        let draft = revoked
        revoked.cannotSend(refusal, as: read)
        #expect(revoked == draft)
        #expect(revoked.next(at: DraftJob.savePause, lacksUploads: false) == .save)

        var changed = draft
        changed.edit(at: 500)
        changed.orderSending(at: 1_000, now: 500, newToken: "d2")
        var postponed = draft
        postponed.orderSending(at: 60_000, isForLater: true, now: 500, newToken: "d2")
        for ordered in [changed, postponed] {
            var job = ordered
            job.cannotSend(refusal, as: read)
            #expect(job == ordered)
        }
    }

    // MARK: - Versions that were removed elsewhere

    /// A job with an order to send, whose text replaces another device's version M2.
    private func jobWithOrder() -> DraftJob {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.included = ["M2"]
        job.edit(at: 10_000)
        job.orderSending(at: 10_000, now: 10_000, newToken: "d2")
        return job
    }

    @Test func `a draft whose versions are all gone is refused, and gets a new token`() {
        var job = jobWithOrder()
        let maySend = job.found([], in: "1", at: 20_000, hasBcc: false, missing: ["M2"], newToken: "d3")
        guard case .refused(let refusal) = job.outcome else {
            Issue.record("\(job.outcome.map { "\($0)" } ?? "none")")
            return
        }
        #expect(!maySend && refusal.code == .alreadySent && job.isEditable && job.token == "d1")
        #expect(job.keptVersions.isEmpty && job.removed == ["M2"])
        #expect(job.next(at: 20_000, lacksUploads: false) == .save)
        job.orderSending(at: 25_000, now: 25_000, newToken: "d2")
        #expect(job.token == "d2")
        let maySendAgain = job.found([], in: "2", at: 30_000, hasBcc: false, newToken: "d3")
        #expect(maySendAgain && job.token == "d2")
    }

    /// This device has replaced M1 by its own M2, and hasn't removed M1 yet.
    @Test func `an earlier version that is still there doesn't stand for the one that is gone`() {
        var job = jobWithOrder()
        job.leftovers = ["M1"]
        let maySend = job.found([mail("M1")], in: "1", at: 20_000, hasBcc: false, missing: ["M2"])
        #expect(!maySend && job.leftovers == ["M1"])
        if case .refused = job.outcome {} else { Issue.record("it isn't refused") }
    }

    /// Otherwise it would stay on the server for good, as a draft on other devices.
    @Test(arguments: [false, true])
    func `a version that a server didn't find is removed once there is another one`(isSaved: Bool) {
        var job = jobWithOrder()
        if isSaved { (job.saved, job.included) = (DraftJob.Saved(revision: 1, emailID: "M2", at: 5_000), []) }
        var maySend = job.found([], in: "1", at: 20_000, hasBcc: false, missing: ["M2"])
        #expect(!maySend && job.saved == nil && job.isDirty)
        var ordered = job
        ordered.orderSending(at: 25_000, now: 25_000, newToken: "d2")
        maySend = ordered.found([], in: "2", at: 25_000, hasBcc: false, missing: ["M2"])
        #expect(maySend)
        job.beginSaving(messageID: "v3")
        job.didSave("M3", at: 30_000)
        #expect(job.next(at: 30_000, lacksUploads: false) == .destroy(["M2"]))
    }

    /// It was there at the first search, and the request found that the mails had changed.
    @Test func `a version that is removed during an attempt refuses its repetition`() {
        var job = jobWithOrder()
        let maySend = job.found([mail("M2")], in: "1", at: 20_000, hasBcc: false)
        #expect(maySend)
        job.beginAttempt(at: 20_000, mark: "a", in: DraftJob.AccountStates(mails: "1"))
        job.answered(.stateMismatch, at: 20_000, hasBcc: false, jitter: 0)
        let mayRepeat = job.found([], in: "2", at: 21_000, hasBcc: false, missing: ["M2"])
        #expect(!mayRepeat && job.attempt == nil)
        if case .refused = job.outcome {} else { Issue.record("it isn't refused") }
    }

    /// The request may still be carried out, and its text isn't to be sent under another token meanwhile.
    @Test func `a version found missing while a request may be on its way changes nothing`() {
        var job = jobWithOrder()
        job.beginAttempt(at: 20_000, mark: "a", in: DraftJob.AccountStates(mails: "1"))
        job.isTokenSpent = true
        let mayRepeat = job.found([], in: "1", at: 21_000, hasBcc: false, missing: ["M2"], newToken: "d3")
        #expect(mayRepeat && job.token == "d1" && job.outcome == nil)
    }

    @Test func `a draft isn't refused for versions that are there or that it has removed itself`() {
        var own = jobWithOrder()
        own.included = []
        own.leftovers = ["M2"]
        var destroyed = jobWithOrder()
        destroyed.removed = ["M2"]
        var handedOver = jobWithOrder()
        handedOver.isNew = true
        var savedSince = jobWithOrder()
        savedSince.saved = DraftJob.Saved(revision: 1, emailID: "M3", at: 15_000)
        for (job, mails, missing) in [
            (own, [], ["M2"]), (destroyed, [], ["M2"]), (handedOver, [], ["M2"]), (savedSince, [], ["M2"]),
            (jobWithOrder(), [mail("M4")], ["M2"]), (jobWithOrder(), [mail("M2", isInTrash: true)], []),
            (jobWithOrder(), [], []),
        ] as [(DraftJob, [FoundMail], [String])] {
            var job = job
            let maySend = job.found(mails, in: "1", at: 20_000, hasBcc: false, missing: missing, newToken: "d3")
            #expect(maySend && job.outcome == nil && job.token == "d1")
        }
    }

    /// It may have been sent, and the sent mail be gone.
    @Test func `a draft that is given back gets a new token, unless a sent mail is found`() {
        for isSent in [false, true] {
            var job = jobWithVanishedVersion()
            let isKept = job.foundVanished([])
            #expect(isKept)
            job.beginSaving(messageID: "v2")
            job.didSave("M2", at: 30_000)
            job.orderSending(at: 40_000, now: 40_000, newToken: "d2")
            #expect(job.token == "d1")
            let mails = [mail("M2")] + (isSent ? [mail("M9", isDraft: false)] : [])
            let maySend = job.found(mails, in: "1", at: 50_000, hasBcc: false, newToken: "d3")
            #expect(maySend == !isSent && job.token == (isSent ? "d1" : "d3"))
        }
    }

    @Test func `a draft sent or moved to the trash elsewhere isn't kept`() {
        for mails in [[mail("M9", isDraft: false)], [mail("M1", isInTrash: true)], [mail("M2")]] {
            var job = jobWithVanishedVersion()
            let isKept = job.foundVanished(mails)
            #expect(!isKept)
        }
    }
}
