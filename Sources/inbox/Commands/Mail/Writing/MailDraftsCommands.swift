import ArgumentParser
import Foundation
import Groundwork
import InboxMail

/// `inbox mail drafts`: the drafts as a table.
struct MailDraftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drafts",
        abstract: "List the drafts, the last changed first.",
        discussion: """
            They are those of all devices. ▤ marks drafts with attachments, ⑂ those with another text, which another \
            device has saved meanwhile. Those that the server refuses to save or remove are listed with the reason, \
            and those that may have been sent with what was tried.

            The states have the names of the JSON: draft, unsaved (it is on this device alone), waiting, uploading, \
            sending, refused, unknown (it may have been sent).

            With ids, shows those drafts with their texts. Their --json has text and html, too.

            Examples:
              inbox mail drafts --json
              inbox mail drafts x4k2p9
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Show stored data only, without contacting the server.")
    var offline = false

    @Flag(help: "Print a JSON object: drafts, synced.")
    var json = false

    func run() async throws {
        try await DraftListing(isOutbox: false, offline: offline, json: json).run(deviceOptions.device, ids)
    }
}

/// `inbox mail outbox`: the mails that wait to be sent, or weren't.
struct MailOutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Send what is due, and list the mails that wait or weren't sent.",
        discussion: """
            A mail for later is sent by this device, with the first command after its time, or by the server. Its \
            state says which, and so does holder in the JSON: device or server.

            Refused mails, and those that may have been sent, are drafts that can be changed and sent again. Of the \
            latter, the list says what was tried, and so does attempts in the JSON: messageId, requests, \
            firstRequestAt, lastRequestAt, checks, finding (missing, unsubmitted or submissionGone), failure. A sent \
            mail is listed if the copy among the sent mails doesn't name the recipients of --bcc, until it is removed \
            from the list with: inbox mail discard ID. So is one that the server leaves among the drafts, until it \
            has moved it.

            Exits with 3 if there are any refused mails, or any that may have been sent.

            Examples:
              inbox mail outbox
              inbox mail outbox --json
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Show stored data only, without contacting the server.")
    var offline = false

    @Flag(help: "Print a JSON object: drafts, synced.")
    var json = false

    func run() async throws {
        try await DraftListing(isOutbox: true, offline: offline, json: json).run(deviceOptions.device)
    }
}

/// Lists drafts after a sync.
struct DraftListing {
    /// Whether only the mails that the person wanted to send are listed.
    let isOutbox: Bool
    let offline: Bool
    let json: Bool

    /// Syncs, and prints drafts.
    ///
    /// - Parameter ids: The drafts to show whole; empty for a list of all.
    func run(_ device: Device, _ ids: [String] = []) async throws {
        let (outcome, failed) = try await device.withMail { mail, _ in
            let outcome = try await SyncOutcome.attempt(mail, offline: offline)
            if case .failed = outcome, let reason = outcome.mailReason(mail) {
                Output.note("inbox: Not up to date: \(reason).")
            }
            if !ids.isEmpty {
                try await show(ids, mail, outcome)
                return (outcome, false)
            }
            let all = try await mail.drafts()
            let drafts = isOutbox ? all.filter(Self.isInOutbox) : all.filter { $0.state != .sent }
            if json {
                let object: JSON = [
                    "drafts": .array(drafts.map { .object($0.json) }), "synced": .bool(outcome.isSynced),
                ]
                Output.line(object.description)
            } else {
                show(drafts)
            }
            return (outcome, drafts.contains(where: Self.hasFailed))
        }
        if isOutbox, failed { throw Failure.notSent }
        try outcome.requireLogin()
    }

    /// Shows drafts with their texts.
    private func show(_ ids: [String], _ mail: Mail, _ outcome: SyncOutcome) async throws {
        var drafts: [MailDraft] = []
        // After a sync, which isn't repeated for an id that there isn't.
        for draft in try await DraftReferences.find(ids, in: mail, offline: true) {
            drafts.append(offline ? draft : try await DraftReferences.whole(draft, in: mail))
        }
        if json {
            let object: JSON = [
                "drafts": .array(drafts.map { .object($0.wholeJSON) }), "synced": .bool(outcome.isSynced),
            ]
            return Output.line(object.description)
        }
        for (index, draft) in drafts.enumerated() {
            if index > 0 { Output.line() }
            let notes = draft.versionNotes + (draft.isComplete ? [] : ["The whole text isn't on this device yet."])
            Output.raw(DraftPage.text(of: draft, notes: notes, isForEditing: false).plainText)
        }
    }

    private func show(_ drafts: [MailDraft]) {
        guard !drafts.isEmpty else { return Output.line(isOutbox ? "Nothing waits to be sent." : "No drafts.") }
        for line in DraftTable(width: Terminal.size.columns, now: Date()).lines(drafts) { Output.line(line) }
        let width = Terminal.size.columns
        for draft in drafts {
            for sentence in (needsSentence(draft) ? [DraftTable.sentence(draft)] : []) + draft.versionNotes {
                let lines = "\(draft.shortID)  \(sentence)".wrapped(to: max(20, width - 2))
                for line in lines { Output.line("  " + ANSIStyle.dim(line)) }
            }
        }
    }

    /// Whether a sentence below the list describes the draft's state.
    func needsSentence(_ draft: MailDraft) -> Bool {
        if case .unknown = draft.state { return true }
        return isOutbox ? Self.hasFailed(draft) || draft.hasSentNotice : draft.isUnsaved || draft.isNotDiscarded
    }

    private static func isInOutbox(_ draft: MailDraft) -> Bool {
        switch draft.state {
        case .refused: hasFailed(draft)
        case .waiting, .uploading, .sending, .unknown: true
        case .draft, .unsaved: false
        case .sent: draft.hasSentNotice
        }
    }

    private static func hasFailed(_ draft: MailDraft) -> Bool {
        switch draft.state {
        case .refused: !draft.isNotDiscarded
        case .unknown: true
        default: false
        }
    }
}

extension MailDraft {
    /// Whether the server refuses to save it.
    fileprivate var isUnsaved: Bool { if case .unsaved = state { true } else { false } }

    /// Whether it was sent, and the person has to see something about it.
    fileprivate var hasSentNotice: Bool { copyRefusal != nil || moveRefusal != nil }

    /// Whether the server refuses to remove it.
    fileprivate var isNotDiscarded: Bool {
        if case .refused(let refusal) = state { refusal.code == .notDiscarded } else { false }
    }
}
