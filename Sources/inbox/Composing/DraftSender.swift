import Foundation
import Groundwork
import InboxClient
import InboxMail

/// Sends a draft, or stores it, and prints its progress.
struct DraftSender {
    let mail: Mail
    let offline: Bool
    let json: Bool

    /// The person's purpose for a draft.
    enum Purpose: Hashable, Sendable {
        /// To keep it.
        case keep
        /// To send it, at once or later.
        case send(later: Date?, force: Bool)
    }

    /// Performs the person's request on a draft that is saved on this device.
    ///
    /// - Throws: ``Failure`` with the code `notSent` if it isn't sent, and won't be by itself; with `notLoggedIn` if it
    ///   waits until the person logs in again, to be sent or saved on the server.
    func run(_ purpose: Purpose, _ draft: MailDraft) async throws {
        let problems = try await mail.problems(of: draft)
        switch purpose {
        case .keep:
            let outcome = try await attempt(draft)
            guard let kept = try await mail.draft(id: draft.id) else {
                return try show(draft, nil, try await mail.outcome(ofDraft: draft.id), outcome, later: nil)
            }
            if json {
                Output.line(report(kept, outcome, Self.json(problems, draft)).description)
            } else {
                Output.line(Self.kept(kept, outcome.mailReason(mail)))
            }
            try outcome.requireLogin()
        case .send(let later, let force):
            if let reason = draft.lockReason { throw Failure(reason) }
            try await check(draft, problems, force: force)
            let ordered = try await mail.send(draft, later: later)
            let outcome = try await attempt(ordered)
            let current = try await mail.draft(id: draft.id)
            try show(ordered, current, try await mail.outcome(ofDraft: draft.id), outcome, later: later)
        }
    }

    /// Returns a sentence about a draft that is kept.
    ///
    /// - Parameter reason: The reason for which the server couldn't be asked; nil if it was.
    static func kept(_ draft: MailDraft, _ reason: String?) -> String {
        let saved = "Draft \(draft.shortID) saved."
        if case .unsaved = draft.state { return "\(saved) \(DraftTable.sentence(draft.state))" }
        return saved + (reason.map { " Not on the server yet: \($0)." } ?? "")
    }

    /// Checks that a draft can be sent as it is, and prints what is wrong with it otherwise.
    ///
    /// - Throws: ``Failure`` if something is wrong with the draft.
    private func check(_ draft: MailDraft, _ problems: [DraftProblem], force: Bool) async throws {
        var texts = problems.filter { $0.severity == .blocksSending || !force }.map(\.message)
        if !force { texts += draft.versionNotes }
        let lacksSender = draft.from == nil ? try await lacksSender(draft) : false
        if lacksSender {
            texts.insert(
                "The account has no address to send with. Give --from, or log in again with: "
                    + "\(MailLogin.command(for: mail)) --from ADDRESS",
                at: 0
            )
        }
        guard !texts.isEmpty else { return }
        if json {
            Output.line(report(draft, offline ? .skipped : nil, Self.json(problems, draft)).description)
        }
        for text in texts { Output.note("inbox: \(text)") }
        let isQuestion = !lacksSender && problems.allSatisfy { $0.severity == .question }
        Output.note(
            isQuestion
                ? "Not sent. The draft is kept. To send it as it is: inbox mail send \(draft.shortID) --force"
                : "Not sent. The draft is kept. To change it: inbox mail edit \(draft.shortID)"
        )
        throw Failure.notSent
    }

    private func lacksSender(_ draft: MailDraft) async throws -> Bool {
        let identities = try await mail.identities()
        guard let chosen = identities.first(where: { $0.id == draft.identityID }) ?? identities.first else {
            return false
        }
        return chosen.email.isEmpty
    }

    /// Syncs, with a bar while the draft's files are uploaded.
    private func attempt(_ draft: MailDraft) async throws -> SyncOutcome {
        let waiting = draft.attachments.filter { !$0.isUploaded }
        guard !offline, Terminal.showsNotes, !waiting.isEmpty else {
            return try await SyncOutcome.attempt(mail, offline: offline)
        }
        let progress = mail.uploadProgress(ofDraft: draft.id)
        let bar = Task {
            let total = waiting.reduce(0) { $0 + $1.size }
            var bar = ProgressBar(total: total) { "\(ByteCount.text($0)) of \(ByteCount.text($1)) uploaded" }
            var fractions: [String: Double] = [:]
            for await current in progress {
                // A file that isn't part of it any more is on the server.
                for id in fractions.keys where current[id] == nil { fractions[id] = 1 }
                fractions.merge(current) { $1 }
                let sent = waiting.reduce(0.0) { $0 + Double($1.size) * (fractions[$1.id] ?? 0) }
                if !fractions.isEmpty { bar.update(to: Int(sent), of: total) }
            }
            bar.clear()
        }
        let outcome: Result<SyncOutcome, any Error>
        do {
            outcome = .success(try await SyncOutcome.attempt(mail, offline: false))
        } catch {
            outcome = .failure(error)
        }
        // Cleared before the next line is written.
        bar.cancel()
        await bar.value
        return try outcome.get()
    }

    // MARK: - Results

    /// Prints what became of a draft that was to be sent.
    ///
    /// - Parameters:
    ///   - ordered: The draft that was to be sent.
    ///   - current: The draft after the sync; nil if it is gone.
    ///   - result: The outcome.
    /// - Throws: ``Failure`` with the code `notSent` if it wasn't sent, and won't be by itself; with `notLoggedIn` if
    ///   it waits until the person logs in again.
    private func show(
        _ ordered: MailDraft,
        _ current: MailDraft?,
        _ result: DraftOutcome?,
        _ outcome: SyncOutcome,
        later: Date?
    ) throws {
        let state = Self.state(result)
        if json {
            let name = state == nil ? "discarded" : state == .sent ? "sent" : nil
            Output.line(report(current ?? ordered, outcome, [], state: name).description)
        }
        func line(_ text: String) { if !json { Output.line(text) } }
        switch state {
        case .sent:
            let recipients = Set((ordered.to + ordered.cc + ordered.bcc).map(\.key))
            line("Sent to \(counted(recipients.count, "recipient")).")
            if current?.state == .draft {
                Output.note("inbox: Another device or window has saved another text of it, which is still a draft.")
            }
        case .waiting(let date) where later != nil:
            let time = ShortTime.exact(date)
            let holder = current?.holder == .server ? "the server" : "this device"
            line("To be sent at \(time) by \(holder). To take it back: inbox mail cancel \(ordered.shortID)")
            guard outcome.needsLogin else { break }
            Output.note("inbox: It can't be sent yet: \(outcome.mailReason(mail) ?? "").")
            try outcome.requireLogin()
        case .sending:
            line(DraftTable.sentence(.sending))
            try outcome.requireLogin()
        case .draft, .unsaved:
            Output.note("inbox: The draft was taken back meanwhile, in another window. It is kept.")
            throw Failure.notSent
        case nil:
            Output.note("inbox: The draft was discarded meanwhile, in another window or on another device.")
            throw Failure.notSent
        case .refused?, .unknown?:
            Output.note("inbox: \(DraftTable.sentence(state ?? .draft))")
            throw Failure.notSent
        default:
            line("Waiting to be sent: \(outcome.mailReason(mail) ?? "the server didn't take it yet").")
            try outcome.requireLogin()
        }
    }

    /// The state of a draft of which this became; nil if it was discarded.
    static func state(_ result: DraftOutcome?) -> DraftState? {
        switch result {
        case .pending(let state): state
        case .sent: .sent
        case .discarded, nil: nil
        }
    }

    /// The problems of a draft, with the question which of its texts is meant.
    private static func json(_ problems: [DraftProblem], _ draft: MailDraft) -> [JSON] {
        problems.map(\.json)
            + draft.versionNotes.map { (text) -> JSON in
                ["severity": "question", "message": .string(text)]
            }
    }

    /// Returns the report about a draft that `--json` prints.
    ///
    /// - Parameter outcome: Nil if the server wasn't asked, because the draft isn't sent.
    private func report(
        _ draft: MailDraft,
        _ outcome: SyncOutcome?,
        _ problems: [JSON],
        state: String? = nil
    ) -> JSON {
        var object = draft.wholeJSON
        if let state {
            object["state"] = .string(state)
            // That of the order before.
            (object["until"], object["holder"]) = (nil, nil)
        }
        object["problems"] = .array(problems)
        object["synced"] = .bool(outcome?.isSynced ?? false)
        object["problem"] = outcome?.mailReason(mail).map(JSON.string)
        return .object(object)
    }
}
