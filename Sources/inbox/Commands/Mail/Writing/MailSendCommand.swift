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

            Exits with 3 if the mail wasn't sent and won't be by itself; the draft is kept then.

            Examples:
              inbox mail send x4k2p9
              inbox mail send x4k2p9 --later tomorrow
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Argument(help: ArgumentHelp("A draft id, or a unique suffix of it.", valueName: "id"))
    var id: String

    @OptionGroup var sending: SendingOptions

    func run() async throws {
        let later = try sending.laterDate
        try await deviceOptions.device.withMail { mail, _ in
            let found = try await DraftReferences.find([id], in: mail, offline: sending.offline)[0]
            let draft = try await DraftReferences.whole(found, in: mail)
            let sender = DraftSender(mail: mail, offline: sending.offline, json: sending.json)
            try await sender.run(.send(later: later, force: sending.force), draft)
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
            it.

            Example:
              inbox mail cancel x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        try await options.deviceOptions.device.withMail { mail, _ in
            // Not after a sync, which would send them.
            let drafts = try await DraftReferences.find(ids, in: mail, offline: true)
            let waiting = drafts.filter(\.isWaiting)
            var cancelled: [String] = []
            var late: [MailDraft] = []
            for draft in waiting {
                if try await mail.cancel(draft.id) { cancelled.append(draft.id) } else { late.append(draft) }
            }
            late += drafts.filter { if case .sending = $0.state { true } else { false } }
            let outcome = try await SyncOutcome.attempt(mail, offline: options.offline)
            if options.json {
                Output.line((["changed": JSON(cancelled), "synced": .bool(outcome.isSynced)] as JSON).description)
            } else {
                Output.line(cancelled.isEmpty ? "Not waiting to be sent." : "\(cancelled.count) taken back.")
            }
            guard let first = late.first else { return }
            throw Failure("\(first.headline.cut(to: 60)) is being sent. It can't be taken back.", code: .notSent)
        }
    }
}

/// `inbox mail discard`: removes drafts.
struct MailDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Remove drafts from all devices.",
        discussion: """
            What the server has of them is moved to the trash. A mail that waits to be sent isn't sent any more.

            Example:
              inbox mail discard x4k2p9
            """
    )

    @OptionGroup var options: ActionOptions

    @Argument(help: ArgumentHelp("Draft ids, or unique suffixes of ids.", valueName: "id"))
    var ids: [String]

    func run() async throws {
        try await options.deviceOptions.device.withMail { mail, _ in
            let drafts = try await DraftReferences.find(ids, in: mail, offline: options.offline)
            for draft in drafts { try await mail.discard(draft.id) }
            let outcome = try await SyncOutcome.attempt(mail, offline: options.offline)
            if options.json {
                Output.line(
                    (["changed": JSON(drafts.map(\.id)), "synced": .bool(outcome.isSynced)] as JSON).description
                )
            } else {
                let reason = outcome.mailReason.map { " Not on the server yet: \($0)." } ?? ""
                Output.line("\(drafts.count) discarded.\(reason)")
            }
        }
    }
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
