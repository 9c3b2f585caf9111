import Foundation
import Groundwork
import SeededRandom

@testable import InboxMail

/// Random drafts, as a device stores and shows them: in each state, and with each character that JSON escapes.
struct RandomDraft {
    private var random: Seeded

    /// - Parameter seed: The same drafts for the same seed.
    init(seed: UInt64) { random = Seeded(seed) }

    /// The characters that each writer of JSON escapes alike, or not at all.
    private static let plain = [
        "a", "b ", " ", "\n", "\r\n", "\t", "\"", "\\", "/", "</script>", "\u{7F}", "é", "e\u{301}", "ß", "😀", "👨‍👩‍👧",
        "日本", "\u{2028}", "\u{FEFF}", "{}", "\\u0000",
    ]
    private static let controls = ["\u{0}", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1F}"]

    /// Whether the texts have control characters other than tabs and line breaks.
    var hasControls = true

    mutating func text(_ maxCount: Int = 12) -> String {
        let all = hasControls ? Self.plain + Self.controls : Self.plain
        return (0..<Int.random(in: 0...maxCount, using: &random)).map { _ in pick(all) }.joined()
    }

    /// A time in milliseconds: also before 1970, and one that no calendar has.
    mutating func time() -> Int {
        pick([0, -1, 1_777_593_000_000, 1_777_593_000_250, -62_135_596_800_001, 1_000_000_000_000_000])
            + Int.random(in: 0..<1_000, using: &random)
    }

    mutating func draftText() -> DraftText {
        DraftText(
            threadID: maybe { $0.text() },
            identityID: maybe { $0.text() },
            from: maybe { $0.address() },
            to: list { $0.address() },
            cc: list { $0.address() },
            bcc: list { $0.address() },
            replyTo: list { $0.address() },
            subject: text(),
            text: text(80),
            html: maybe { $0.text(40) },
            files: list { $0.file() },
            inReplyTo: list { $0.text() },
            references: list { $0.text() },
            answeredMessageID: maybe { $0.text() },
            forwardedMessageID: maybe { $0.text() }
        )
    }

    mutating func document() -> DraftDocument {
        let replaced = list { DraftDocument.Replaced(id: $0.text(), text: $0.draftText(), editedAt: $0.time()) }
        return DraftDocument(id: text(), text: draftText(), job: job(), replacedTexts: replaced)
    }

    /// Each property has another value than the one that it begins with, in some jobs.
    private mutating func job() -> DraftJob {
        var job = DraftJob(token: text(), editedAt: time())
        (job.revision, job.orderedAt) = (time(), time())
        (job.isVanished, job.isUploading) = (random.chance(0.5), random.chance(0.5))
        job.order = maybe { $0.random.chance(0.5) ? .send(at: $0.time()) : .discard }
        job.outcome = maybe {
            switch Int.random(in: 0..<3, using: &$0.random) {
            case 0: .refused($0.refusal())
            case 1: .unknown(since: $0.time())
            default: .sent(emailID: $0.text(), at: $0.time())
            }
        }
        job.attempt = maybe { DraftJob.Attempt(since: $0.time(), states: .init(mails: $0.text()), isAtOnce: true) }
        job.hold = maybe {
            DraftJob.Hold(submissionID: $0.text(), emailID: $0.text(), due: $0.time(), isMoved: true, clock: .changed)
        }
        job.released = maybe { DraftJob.Released(emailID: $0.text(), isCancelled: true, since: $0.time()) }
        job.refused = maybe { DraftJob.RefusedRequest(mails: $0.text(), since: $0.time()) }
        job.tried = maybe { $0.attempts() }
        job.saved = maybe {
            DraftJob.Saved(
                revision: $0.time(),
                emailID: $0.text(),
                at: $0.time(),
                isSeen: $0.random.chance(0.5),
                isElsewhere: $0.random.chance(0.5),
                receivedAt: $0.random.chance(0.5) ? $0.time() : nil
            )
        }
        job.saving = maybe { DraftJob.Saving(revision: 2, messageID: $0.text(), date: $0.time()) }
        job.lostSavings = maybe { random in
            random.list { DraftJob.Saving(revision: 2, messageID: $0.text(), date: $0.time()) }
        }
        job.aftermath = maybe { DraftJob.RemainingWork(isToBeMoved: true, needsCopy: false, copyID: $0.text()) }
        job.retry = maybe { DraftJob.Retry(failures: 1, notBefore: $0.time(), since: $0.time()) }
        job.failing = maybe {
            DraftJob.FailureSeries(last: $0.time(), days: .init(first: $0.time(), last: $0.time()))
        }
        job.unanswered = maybe { DraftJob.FailureSeries(last: $0.time(), duration: $0.time()) }
        job.lostUploads = maybe { [$0.text(): 1, "other": 2] }
        (job.copyRefusal, job.saveRefusal) = (maybe { $0.refusal() }, maybe { $0.refusal() })
        job.moveRefusal = maybe { $0.refusal() }
        job.discardRefusal = maybe { DraftJob.DiscardRefusal(reason: $0.refusal(), isSeen: $0.random.chance(0.5)) }
        (job.included, job.leftovers) = (list { $0.text() }, list { $0.text() })
        (job.attemptDates, job.attemptMarks) = (list { $0.time() }, ids())
        (job.handedOver, job.toBeDiscarded, job.unsubmitted) = (ids(), ids(), ids())
        (job.undecidedMails, job.reportedMails, job.removed, job.unremovable) = (ids(), ids(), ids(), ids())
        (job.handOverAt, job.unsavableRevision, job.saveRetryAt) = (moment(), moment(), moment())
        (job.removedAt, job.clockSetBackAt, job.createdAt) = (moment(), moment(), moment())
        (job.isFinished, job.isForLater, job.isNew, job.discardsUnsaved) = (flag(), flag(), flag(), flag())
        (job.isSentElsewhere, job.isTokenSpent, job.spentToken) = (flag(), flag(), maybe { $0.text() })
        return job
    }

    private mutating func ids() -> [String]? { maybe { random in random.list { $0.text() } } }

    private mutating func moment() -> Int? { maybe { $0.time() } }

    private mutating func flag() -> Bool? { maybe { $0.random.chance(0.5) } }

    mutating func row() -> DraftRow {
        let states: [DraftState] = [
            .draft, .draft, .unsaved(refusal()), .waiting(until: Date(milliseconds: time())), .uploading(0.125),
            .sending, .sent, .refused(refusal()), .unknown(since: Date(milliseconds: time())),
            .unknown(since: Date(milliseconds: time()), attempts: attempts()),
        ]
        let details = DraftRow.Details(
            text: draftText(),
            state: pick(states),
            basis: random.chance(0.5) ? .document(revision: time()) : .version(emailID: text()),
            versions: list { random in
                DraftRow.Version(
                    id: random.text(),
                    savedAt: random.time(),
                    subject: random.text(),
                    snippet: random.text(),
                    isUnremovable: random.flag()
                )
            },
            isComplete: random.chance(0.5),
            copyRefusal: maybe { $0.refusal() },
            holder: maybe { $0.pick([.device, .server]) },
            isBeingTakenBack: maybe { $0.random.chance(0.5) },
            moveRefusal: maybe { $0.refusal() }
        )
        return DraftRow(id: "d1", updatedAt: time(), details)
    }

    private mutating func address() -> DraftText.Address {
        DraftText.Address(name: maybe { $0.text() }, email: text())
    }

    private mutating func file() -> DraftText.File {
        DraftText.File(
            id: text(),
            name: text(),
            type: text(),
            size: Int.random(in: 0...10_000_000_000, using: &random),
            contentID: maybe { $0.text() },
            blobID: maybe { $0.text() },
            isOnDevice: random.chance(0.5),
            digest: maybe { $0.text() },
            mailID: maybe { $0.text() },
            charset: maybe { $0.text() }
        )
    }

    private mutating func refusal() -> DraftRefusal {
        DraftRefusal(pick([.recipients, .tooLarge, .other]), text(), addresses: list { $0.text() })
    }

    private mutating func attempts() -> SendingAttempts {
        SendingAttempts(
            messageID: text(),
            requestCount: 2,
            firstRequestAt: Date(milliseconds: time()),
            lastRequestAt: Date(timeIntervalSince1970: Double.random(in: 0..<2e9, using: &random)),
            checkCount: 3,
            finding: maybe { $0.pick([.missing, .unsubmitted, .submissionGone]) },
            failure: maybe { $0.text() }
        )
    }

    private mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }

    private mutating func maybe<T>(_ make: (inout RandomDraft) -> T) -> T? { random.chance(0.5) ? make(&self) : nil }

    private mutating func list<T>(_ make: (inout RandomDraft) -> T) -> [T] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in make(&self) }
    }
}
