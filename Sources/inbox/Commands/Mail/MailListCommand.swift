import ArgumentParser
import Foundation
import Groundwork
import InboxMail

/// `inbox mail list`: the threads as a table.
struct MailListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the threads in the inbox, newest first.",
        discussion: """
            Syncs first. If the server can't be reached, a note is written to standard error, and the stored threads \
            are shown. The listed ids are the endings of thread ids. Every command accepts any unique suffix. ● marks \
            unread threads, ★ starred ones, ▤ those with attachments.

            Examples:
              inbox mail list --unread
              inbox mail list --mailbox Archive --limit 10
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var filterOptions: ThreadFilterOptions

    @Flag(help: "Show stored data only, without contacting the server.")
    var offline = false

    @Flag(help: "Print a JSON object: threads, total, counts, pendingWrites, synced.")
    var json = false

    func run() async throws {
        try await deviceOptions.device.withMail { mail, _ in
            let outcome = try await SyncOutcome.attempt(mail, offline: offline)
            if case .failed = outcome, let reason = outcome.mailReason(mail) {
                Output.note("inbox: Not up to date: \(reason).")
            }
            let query = try await filterOptions.query(in: mail)
            let threads = try await mail.threads(query)
            let total = try await mail.threadCount(query)
            if json {
                var object = threadsObject(
                    threads,
                    try await mail.counts(),
                    pendingWrites: try await mail.status().pendingWrites
                )
                object["total"] = JSON(total)
                object["synced"] = .bool(outcome.isSynced)
                Output.line(JSON.object(object).description)
            } else {
                try await show(threads, total: total, mail)
            }
            try outcome.requireLogin()
        }
    }

    private func show(_ threads: [MailThread], total: Int, _ mail: Mail) async throws {
        guard !threads.isEmpty else { return Output.line(filterOptions.emptyText) }
        let table = ThreadTable(width: Terminal.size.columns, now: Date(), people: try await MailPeople(mail))
        for line in table.lines(threads) { Output.line(line) }
        if total > threads.count {
            Output.line(ANSIStyle.dim("   and \(counted(total - threads.count, "thread")) more (use --limit)"))
        }
    }
}
