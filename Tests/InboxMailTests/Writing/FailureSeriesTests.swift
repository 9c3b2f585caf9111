import Replica
import Testing

@testable import InboxMail

/// The time for which a draft was tried, whatever the device's clock does meanwhile.
@Suite(.timeLimit(.minutes(5))) struct FailureSeriesTests {
    private static let hour = 3_600_000
    private static let day = 24 * hour

    /// The job of a mail that is to be sent.
    private func ordered() -> DraftJob {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 0, now: 0, newToken: "d2")
        return job
    }

    private func fail(_ job: inout DraftJob, at now: Int, retryAfter: Double? = nil) {
        job.failed(.status(503, retryAfter: retryAfter, detail: nil), at: now, jitter: 1)
    }

    private func isRefused(_ job: DraftJob) -> Bool {
        if case .refused = job.outcome { true } else { false }
    }

    @Test func `a mail is refused after a day in which it was tried as planned`() {
        var (job, now) = (ordered(), 0)
        while !isRefused(job), now < 2 * Self.day {
            fail(&job, at: now)
            now = job.retry?.notBefore ?? now
        }
        #expect(isRefused(job) && now >= Self.day && now <= Self.day + Self.hour, "after \(now) ms")
    }

    @Test(arguments: [3, 10])
    func `a clock that is set ahead counts as one wait, and as one day`(failures: Int) {
        var (job, now) = (ordered(), 0)
        for jump in 0..<4 {
            for _ in 0..<failures {
                fail(&job, at: now)
                now += 1_000
            }
            #expect(!isRefused(job), "after \(jump) jumps")
            now += 365 * Self.day
        }
    }

    @Test func `an attempt isn't reported as unknown because the clock is set ahead`() {
        var job = ordered()
        job.beginAttempt(at: 0, mark: "a", in: DraftJob.AccountStates(mails: "1"))
        for now in [1_000, 2_000, 3_000, 4_000 + Self.day, 5_000 + 2 * Self.day] { fail(&job, at: now) }
        #expect(job.outcome == nil && job.attempt != nil)
    }

    @Test func `a clock that is set back for good leaves a day of tries`() {
        var job = ordered()
        for now in [0, 1_000, 2_000] { fail(&job, at: 1_000 * Self.day + now) }
        for number in 0..<24 { fail(&job, at: Self.day + number * Self.hour) }
        #expect(!isRefused(job))
        fail(&job, at: Self.day + 24 * Self.hour)
        #expect(isRefused(job))
    }

    @Test func `a clock that is set back and ahead again and again counts its waits`() {
        var job = ordered()
        for number in 0..<40 { fail(&job, at: number % 2 == 0 ? 1_000 * Self.day : number * 1_000) }
        #expect(!isRefused(job))
    }

    /// For one try, or several in a row.
    ///
    /// - Parameter pause: The days between two times.
    @Test(arguments: [1, 2, 3, 30], [1, 5])
    func `a device that is seldom used reports a failure after five days and a week`(pause: Int, tries: Int) {
        var job = ordered()
        // After a week, or on the fifth day.
        for number in 0...(pause == 1 ? 7 : 4) {
            #expect(!isRefused(job), "before \(number)")
            for second in 0..<tries where !isRefused(job) {
                fail(&job, at: number * pause * Self.day + second * 1_000)
            }
        }
        #expect(isRefused(job))
    }

    /// On a clock that shows a wrong day for a while, some of the days may not have been.
    @Test func `a clock that is set back by days counts the days from then on`() {
        var job = ordered()
        for number in 0..<4 { fail(&job, at: (100 + 3 * number) * Self.day) }
        for number in 0..<7 {
            fail(&job, at: (1 + number) * Self.day)
            #expect(!isRefused(job), "on day \(number)")
        }
        fail(&job, at: 8 * Self.day)
        #expect(isRefused(job))
    }

    @Test func `failures of one day, however many, are no days`() {
        var job = ordered()
        for number in 0..<50 { fail(&job, at: number * 1_000) }
        // A minute of each day for three more.
        for day in 1..<4 { for number in 0..<20 { fail(&job, at: day * Self.day + number * 1_000) } }
        #expect(!isRefused(job))
    }

    @Test func `a wait for which the server asks counts as a whole`() {
        var job = ordered()
        for number in 0..<2 {
            fail(&job, at: number * Self.day, retryAfter: 86_400)
            #expect(!isRefused(job))
        }
        fail(&job, at: 2 * Self.day)
        #expect(isRefused(job))
    }

    /// It was ordered a week ago, for now.
    @Test func `a file that can't be read at the time of a mail for later is tried again`() {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 7 * Self.day, isForLater: true, now: 0, newToken: "d2")
        let refusal = DraftRefusal(.attachment, "The file can't be read.")
        for number in 0..<24 {
            job.cannotRead(refusal, at: 7 * Self.day + number * Self.hour, jitter: 1)
            #expect(!isRefused(job))
        }
        job.cannotRead(refusal, at: 8 * Self.day, jitter: 1)
        #expect(isRefused(job))
    }
}
