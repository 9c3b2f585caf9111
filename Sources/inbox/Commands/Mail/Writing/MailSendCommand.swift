import ArgumentParser
import Foundation
import Groundwork
import InboxMail

/// `inbox mail send`: sends a draft.
struct MailSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a draft.",
        discussion: """
            Without a network the mail waits, and the next command that reaches the server sends it, once. A mail for \
            --later waits on this device too, unless inbox mail verify-later has verified that the server sends what \
            it holds: then the server gets it at once, and sends it at its time. One with recipients of --bcc waits on \
            this device.

            Exits with 3 if the mail wasn't sent and won't be by itself; the draft is kept then. Exits with 2 if the \
            server doesn't accept the login; the mail waits until you log in again.

            Examples:
              inbox mail send x4k2p9
              inbox mail send x4k2p9 --later tomorrow
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A draft id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @OptionGroup var delivery: DeliveryOptions

    func run() async throws {
        let later = try delivery.laterDate
        try await deviceOptions.device.withMail(isOffline: delivery.offline) { mail, _ in
            let found = try await DraftReferences.find([id], in: mail, offline: delivery.offline)[0]
            let draft = try await DraftReferences.whole(found, in: mail)
            let sender = DraftSender(mail: mail, offline: delivery.offline, json: delivery.json)
            try await sender.run(.send(later: later, force: delivery.force), draft)
        }
    }
}

/// `inbox mail cancel`: takes drafts back that wait to be sent.
struct MailCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take back mails that wait to be sent.",
        discussion: """
            They are drafts again. Exits with 3 if one of them can't be taken back: the server has been asked to send \
            it, or has sent it, or may have. Exits with 1 if this device knows no draft with one of the ids; the \
            others are taken back, and nothing is sent meanwhile. Exits with 1 too if the server holds a mail and \
            can't be asked not to send it: it is asked by the next command that reaches it.

            Example:
              inbox mail cancel x4k2p9
            """
    )

    @OptionGroup var options: DraftActionOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        try await options.deviceOptions.device.withMail { mail, _ in
            var late: [UnchangedDraft] = []
            var unasked: [UnchangedDraft] = []
            var rest: [String] = []
            let known = References(known: try await mail.drafts())
            for id in ids {
                if !known.containsAll([id]), let sent = try await DraftReferences.sent(id, in: mail) {
                    late.append(UnchangedDraft(reference: id, reason: "\(sent.cut(to: 60)) was sent."))
                } else {
                    rest.append(id)
                }
            }
            // Not after a sync, which would send them.
            let (drafts, missing) = try await DraftReferences.known(rest, in: mail)
            var cancelled: [String] = []
            for draft in drafts {
                let name = draft.headline.cut(to: 60)
                switch draft.state {
                case .sent: late.append(UnchangedDraft(reference: draft.id, reason: "\(name) was sent."))
                case .sending: late.append(UnchangedDraft(reference: draft.id, reason: "\(name) is being sent."))
                case _ where draft.isWaiting && draft.holder == .server && options.offline:
                    unasked.append(UnchangedDraft(reference: draft.id, reason: "\(name) \(Self.isHeld)"))
                case _ where draft.isWaiting:
                    do {
                        if try await mail.cancel(draft.id) {
                            cancelled.append(draft.id)
                        } else {
                            let state = try await mail.draft(id: draft.id)?.state.name
                            let sent = draft.holder == .server ? "was sent" : "is being sent"
                            let what = state == "unknown" ? "may have been sent" : sent
                            late.append(UnchangedDraft(reference: draft.id, reason: "\(name) \(what)."))
                        }
                    } catch let error as MailError where draft.holder == .server {
                        let reason = "\(name) \(Self.isHeld) \(error.description.plainLine)"
                        unasked.append(UnchangedDraft(reference: draft.id, reason: reason))
                    }
                default: break
                }
            }
            // A sync would send the mail that was meant by an unknown id.
            let outcome = try await SyncOutcome.attempt(mail, offline: options.offline || !missing.isEmpty)
            if options.json {
                options.show(changed: cancelled, unchanged: late + unasked + missing, outcome)
            } else if !drafts.isEmpty || missing.isEmpty {
                Output.line(cancelled.isEmpty ? "Not waiting to be sent." : "\(cancelled.count) taken back.")
            }
            var reasons = (unasked + missing).map(\.reason)
            if !late.isEmpty {
                let what = late.count == 1 ? "It" : "They"
                reasons.insert("\(late.map(\.reason).joined(separator: " ")) \(what) can't be taken back.", at: 0)
            }
            guard !reasons.isEmpty else { return try outcome.requireLogin(reporting: outcome.mailReason(mail)) }
            throw Failure(reasons.joined(separator: "\n"), code: late.isEmpty ? .failed : .notSent)
        }
    }

    private static let isHeld = "is held by the server, which hasn't been asked not to send it."
}

/// `inbox mail discard`: removes drafts.
struct MailDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Remove drafts from all devices.",
        discussion: """
            What the server has of them is moved to the trash. A mail that waits to be sent isn't sent any more; one \
            that the server holds is taken back first. Exits with 1 if one of them can't be removed; the others are.

            Example:
              inbox mail discard x4k2p9
            """
    )

    @OptionGroup var options: DraftActionOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        try await options.deviceOptions.device.withMail { mail, _ in
            // Before a sync, which would send those that are due.
            var result = try await Self.discard(ids, in: mail, offline: options.offline)
            var outcome = try await SyncOutcome.attempt(mail, offline: options.offline)
            if !result.unknown.isEmpty, !options.offline {
                // Another device may have written them.
                let later = try await Self.discard(result.unknown.map { $0.reference }, in: mail, offline: false)
                if !later.discarded.isEmpty { outcome = try await SyncOutcome.attempt(mail, offline: false) }
                result.discarded += later.discarded
                result.refused += later.refused
                result.unknown = later.unknown
            }
            for draft in try await DraftReferences.kept(of: result.discarded, in: mail) {
                result.discarded.removeAll { $0 == draft.id }
                let why = DraftReferences.reason(keeping: draft)
                let reason = "\(draft.shortID)  \(draft.headline.cut(to: 60)): \(why)"
                result.refused.append(UnchangedDraft(reference: draft.id, reason: reason))
            }
            let reason = outcome.mailReason(mail)
            let (discarded, refused, missing) = (result.discarded, result.refused, result.unknown)
            if options.json {
                options.show(changed: discarded, unchanged: refused + missing, outcome)
            } else if !discarded.isEmpty || missing.isEmpty {
                let note = reason.map { " Not on the server yet: \($0)." } ?? ""
                Output.line("\(discarded.count) discarded.\(discarded.isEmpty ? "" : note)")
            }
            var reasons = missing.map(\.reason)
            if !refused.isEmpty {
                reasons.insert("Not discarded: \(refused.map(\.reason).joined(separator: "; "))", at: 0)
            }
            if !reasons.isEmpty { throw Failure(reasons.joined(separator: "\n")) }
            try outcome.requireLogin(reporting: options.json || discarded.isEmpty ? reason : nil)
        }
    }

    /// Discards those of the drafts that this device knows.
    private static func discard(_ references: [String], in mail: Mail, offline: Bool) async throws -> Result {
        let (drafts, unknown) = try await DraftReferences.known(references, in: mail)
        var result = Result(unknown: unknown)
        for draft in drafts {
            let name = "\(draft.shortID)  \(draft.headline.cut(to: 60))"
            if offline, draft.holder == .server {
                let reason = "\(name): The server holds it. Discard it without --offline."
                result.refused.append(UnchangedDraft(reference: draft.id, reason: reason))
                continue
            }
            do {
                try await mail.discard(draft.id)
                result.discarded.append(draft.id)
            } catch let error as MailError where error.code == .invalidArgument || draft.holder == .server {
                let reason = "\(name): \(error.description.plainLine)"
                result.refused.append(UnchangedDraft(reference: draft.id, reason: reason))
            }
        }
        return result
    }

    private struct Result {
        /// The ids of the discarded drafts.
        var discarded: [String] = []
        /// The drafts that can't be discarded.
        var refused: [UnchangedDraft] = []
        /// The references that match no draft or several.
        var unknown: [UnchangedDraft]
    }
}

/// The options of commands that act on drafts.
struct DraftActionOptions: ParsableArguments {
    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't contact the server. Changes are sent later.")
    var offline = false

    @Flag(help: "Print a JSON object: changed, synced, and failed if some weren't changed: id, reason.")
    var json = false

    /// Prints the result as JSON.
    func show(changed: [String], unchanged: [UnchangedDraft], _ outcome: SyncOutcome) {
        var object = JSONObject([("changed", JSON(changed)), ("synced", .bool(outcome.isSynced))])
        if !unchanged.isEmpty {
            object["failed"] = .array(
                unchanged.map { draft -> JSON in
                    ["id": .string(draft.reference), "reason": .string(draft.reason)]
                }
            )
        }
        Output.line(JSON.object(object).description)
    }
}

extension MailDraft {
    /// Whether it waits to be sent, and can be cancelled. Its files may be uploading already.
    var isWaiting: Bool {
        switch state {
        case .waiting, .uploading: true
        case .draft, .unsaved, .sending, .sent, .refused, .unknown: false
        }
    }
}
