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
            --later waits on this device too.

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
        try await deviceOptions.device.withMail { mail, _ in
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
            it, or has sent it.

            Example:
              inbox mail cancel x4k2p9
            """
    )

    @OptionGroup var options: DraftActionOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        try await options.deviceOptions.device.withMail { mail, _ in
            var (late, rest): ([String], [String]) = ([], [])
            let known = References(known: try await mail.drafts())
            for id in ids {
                if !known.containsAll([id]), let sent = try await DraftReferences.sent(id, in: mail) {
                    late.append("\(sent.cut(to: 60)) was sent.")
                } else {
                    rest.append(id)
                }
            }
            // Not after a sync, which would send them.
            let drafts = try await DraftReferences.find(rest, in: mail, offline: true)
            var cancelled: [String] = []
            for draft in drafts {
                let name = draft.headline.cut(to: 60)
                switch draft.state {
                case .sent: late.append("\(name) was sent.")
                case .sending: late.append("\(name) is being sent.")
                case _ where draft.isWaiting:
                    if try await mail.cancel(draft.id) {
                        cancelled.append(draft.id)
                    } else {
                        late.append("\(name) is being sent.")
                    }
                default: break
                }
            }
            let outcome = try await SyncOutcome.attempt(mail, offline: options.offline)
            if options.json {
                Output.line((["changed": JSON(cancelled), "synced": .bool(outcome.isSynced)] as JSON).description)
            } else {
                Output.line(cancelled.isEmpty ? "Not waiting to be sent." : "\(cancelled.count) taken back.")
            }
            guard !late.isEmpty else { return try outcome.requireLogin(reporting: outcome.mailReason(mail)) }
            let what = late.count == 1 ? "It" : "They"
            throw Failure("\(late.joined(separator: " ")) \(what) can't be taken back.", code: .notSent)
        }
    }
}

/// `inbox mail discard`: removes drafts.
struct MailDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Remove drafts from all devices.",
        discussion: """
            What the server has of them is moved to the trash. A mail that waits to be sent isn't sent any more. Exits \
            with 1 if one of them can't be removed; the others are.

            Example:
              inbox mail discard x4k2p9
            """
    )

    @OptionGroup var options: DraftActionOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        try await options.deviceOptions.device.withMail { mail, _ in
            let drafts = try await DraftReferences.find(ids, in: mail, offline: options.offline)
            var (discarded, refused): ([String], [String]) = ([], [])
            for draft in drafts {
                do {
                    try await mail.discard(draft.id)
                    discarded.append(draft.id)
                } catch let error as MailError where error.code == .invalidArgument {
                    refused.append("\(draft.shortID)  \(draft.headline.cut(to: 60)): \(error.description.plainLine)")
                }
            }
            let outcome = try await SyncOutcome.attempt(mail, offline: options.offline)
            let reason = outcome.mailReason(mail)
            if options.json {
                Output.line((["changed": JSON(discarded), "synced": .bool(outcome.isSynced)] as JSON).description)
            } else {
                let note = reason.map { " Not on the server yet: \($0)." } ?? ""
                Output.line("\(discarded.count) discarded.\(discarded.isEmpty ? "" : note)")
            }
            if !refused.isEmpty { throw Failure("Not discarded: \(refused.joined(separator: "; "))") }
            try outcome.requireLogin(reporting: options.json || discarded.isEmpty ? reason : nil)
        }
    }
}

/// The options of commands that act on drafts.
struct DraftActionOptions: ParsableArguments {
    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't contact the server. Changes are sent later.")
    var offline = false

    @Flag(help: "Print a JSON object: changed, synced.")
    var json = false
}

extension MailDraft {
    /// Whether it is to be sent, and can be taken back. Its files may be on their way already.
    var isWaiting: Bool {
        switch state {
        case .waiting, .uploading: true
        case .draft, .unsaved, .sending, .sent, .refused, .unknown: false
        }
    }
}
