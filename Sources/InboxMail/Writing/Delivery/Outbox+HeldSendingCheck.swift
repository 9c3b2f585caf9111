import Foundation
import Groundwork
import JMAP
import MailComposing
import Replica

/// The check whether the server sends what it holds.
extension Outbox {
    /// The time between two looks, in seconds.
    private static let checkInterval = 2.0
    /// The longest time for which a server counts as holding mails, in seconds: ten years.
    private static let maxLongest = 3_650 * 86_400

    /// A mail of the check.
    private struct Trial {
        let document: DraftDocument
        let requests: DraftRequests
        let due: Int
        /// Nil before the server has it.
        var submissionID: String?
    }

    /// A reason for which the server isn't verified.
    private struct NotVerified: Error {
        let reason: String
    }

    /// Gives the server two mails to hold, takes one back, and waits for the other one.
    ///
    /// - Throws: ``SyncError``, ``StoreError``, `MailError`, `CancellationError`.
    func checkHeldSending(after delay: Int) async throws -> HeldSendingCheck {
        let account = try await engine.account(for: .email)
        let session = try await connection.currentSession()
        let submission = session.accounts[account]?.accountCapabilities[MailCapability.submission]
        let longest = min(max(0, submission?["maxDelayedSend"]?.intValue ?? 0), Self.maxLongest)
        func result(_ reason: String?) -> HeldSendingCheck {
            HeldSendingCheck(reason: reason, checkedAt: configuration.clock.now, longest: TimeInterval(longest))
        }
        guard longest >= delay / 1_000 else {
            return result("The server says that it holds mails for \(longest) seconds at most (maxDelayedSend).")
        }
        var trials: [Trial] = []
        do {
            // The one that is taken back comes first: it would arrive first, too.
            for index in 0..<2 {
                trials.append(try await trial(after: delay))
                trials[index].submissionID = try await submit(trials[index])
            }
            try await cancel(trials[0])
            try await awaitArrival(of: trials[1], without: trials[0])
        } catch let failure as NotVerified {
            await remove(trials)
            return result(failure.reason)
        } catch {
            await remove(trials)
            throw error
        }
        await remove(trials)
        return result(nil)
    }

    private func trial(after delay: Int) async throws -> Trial {
        let now = now
        let token = DraftToken.make(configuration.random)
        var document = DraftDocument(id: token, text: DraftText(), job: DraftJob(token: token, editedAt: now))
        let requests = try await requests(document)
        guard let from = requests.context.sender.from else {
            throw MailError(.invalidArgument, "The account has no address to send with.")
        }
        document.text.to = [DraftText.Address(from)]
        document.text.subject = "Sending later"
        document.text.text = "A check whether the mail server sends what it holds. It is removed by itself."
        document.job.beginAttempt(
            at: now,
            mark: configuration.random.token(length: 16),
            in: DraftJob.AccountStates(mails: ""),
            heldUntil: now + delay
        )
        return Trial(document: document, requests: requests, due: now + delay)
    }

    /// Gives a mail to the server.
    ///
    /// - Returns: The id of its submission.
    private func submit(_ trial: Trial) async throws -> String {
        knownStates = nil
        let response = try await call(trial.requests.send(trial.document, ifInState: nil, at: now))
        switch try DraftAnswers.send(response) {
        case .sent(let emailID, _):
            guard let submission = DraftAnswers.heldSubmission(response, of: emailID) else {
                throw NotVerified(reason: "The server sent a mail at once that it was to hold.")
            }
            return submission.id
        case .refused(let refusal, _), .postponed(let refusal, _):
            throw NotVerified(reason: "The server doesn't hold mails. \(refusal.description)")
        case .stateMismatch, .blobsNotFound: throw NotVerified(reason: "The server doesn't hold mails.")
        }
    }

    private func cancel(_ trial: Trial) async throws {
        guard let id = trial.submissionID else { return }
        let response = try await call(trial.requests.cancel(id))
        guard try DraftAnswers.cancellation(response, of: id) == .cancelled else {
            throw NotVerified(reason: "A mail that the server holds can't be taken back.")
        }
    }

    private func awaitArrival(of trial: Trial, without cancelled: Trial) async throws {
        while true {
            let isSent = try await isFinal(trial)
            let hasArrived = try await hasArrived(trial)
            if hasArrived || isSent, now < trial.due - DraftJob.holdRounding {
                throw NotVerified(reason: "The server sent a mail before its time.")
            }
            if hasArrived, isSent {
                guard try await !self.hasArrived(cancelled) else {
                    throw NotVerified(reason: "The server sent a mail that was taken back.")
                }
                return
            }
            if now >= trial.due + Int(configuration.heldCheckPatience * 1_000) {
                throw NotVerified(
                    reason: isSent
                        ? "A mail that the server says it has sent didn't arrive."
                        : hasArrived
                            ? "The server doesn't say that it has sent a mail that has arrived."
                            : "The server accepted a mail to be sent later, and didn't send it."
                )
            }
            let clock = configuration.clock
            try await clock.sleep(until: clock.now.addingTimeInterval(Self.checkInterval))
        }
    }

    /// Whether the server says that it has sent a mail, or has removed its submission.
    private func isFinal(_ trial: Trial) async throws -> Bool {
        guard let id = trial.submissionID else { return false }
        let holds = try DraftAnswers.holds(try await call(trial.requests.hold(id)))
        return holds.first { $0.id == id }?.status ?? "final" == "final"
    }

    private func hasArrived(_ trial: Trial) async throws -> Bool {
        try await search(trial.requests, trial.document.job.token, of: trial.document.job).mails
            .contains(where: \.isReceived)
    }

    /// Removes the mails of the check. What can't be removed stays.
    private func remove(_ trials: [Trial]) async {
        knownStates = nil
        for trial in trials {
            if let id = trial.submissionID { _ = try? await call(trial.requests.cancel(id)) }
            let found = try? await search(trial.requests, trial.document.job.token, of: trial.document.job).mails
            guard let found, !found.isEmpty else { continue }
            _ = try? await call(trial.requests.destroy(found.map(\.id)))
        }
    }
}
