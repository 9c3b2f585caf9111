import ArgumentParser
import Foundation
import Groundwork
import InboxMail

/// `inbox mail status`: the sync status of this device's mail.
struct MailStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the sync status of this device's mail.",
        discussion: """
            Syncs first. Exits with 0 even if the server can't be reached, and with 2 if it doesn't accept the login.

            Example:
              inbox mail status --json
            """
    )

    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't contact the server.")
    var offline = false

    @Flag(help: "Print a JSON object.")
    var json = false

    private struct Facts {
        let login: MailLogin
        let store: String
        let outcome: SyncOutcome
        let status: Mail.Status
        let counts: MailCounts
    }

    func run() async throws {
        let device = deviceOptions.device
        let facts = try await device.withMail { mail, login in
            Facts(
                login: login,
                store: device.storeFile(login).path,
                outcome: try await SyncOutcome.attempt(mail, offline: offline),
                status: try await mail.status(),
                counts: try await mail.counts()
            )
        }
        if json {
            Output.line(object(facts).description)
        } else {
            for line in lines(facts) { Output.line(line) }
        }
        try facts.outcome.requireLogin()
    }

    private func lines(_ facts: Facts) -> [String] {
        let (login, status, counts) = (facts.login, facts.status, facts.counts)
        let connection =
            switch facts.outcome {
            case .synced: ANSIStyle.success("reached")
            case .skipped: "not attempted (--offline)"
            case .failed: ANSIStyle.failure(facts.outcome.reason(login: facts.login.command) ?? "")
            }
        let lines: [(String, String)] = [
            ("User", login.user.plainLine),
            ("Server", login.server.absoluteString),
            ("Login", login.scheme.shownText),
            ("Connection", connection),
            ("Last sync", status.lastSync.map { ShortTime.exact($0, now: Date()) } ?? "never"),
            ("State", status.state?.plainLine ?? "none"),
            (
                "To be sent",
                status.pendingWrites == 0
                    ? "nothing" : ANSIStyle.warning("changes of \(counted(status.pendingWrites, "mail"))")
            ),
            ("Inbox", "\(counted(counts.inInbox, "thread")), \(counts.unreadInInbox) unread"),
            ("All", "\(counted(counts.total, "thread")) of \(counted(status.messages, "mail"))"),
            ("Texts", ByteCount.text(status.bodies)),
            (
                "Unreadable",
                status.unreadableRecords == 0
                    ? "none" : ANSIStyle.warning(counted(status.unreadableRecords, "mail"))
            ),
            ("Store", facts.store),
        ]
        return lines.map { ANSIStyle.dim($0.0.padded(to: 12)) + $0.1 }
    }

    private func object(_ facts: Facts) -> JSON {
        let status = facts.status
        var object = JSONObject([
            ("user", .string(facts.login.user)),
            ("server", .string(facts.login.server.absoluteString)),
            ("scheme", .string(facts.login.scheme.rawValue)),
            ("synced", .bool(facts.outcome.isSynced)),
            ("pendingWrites", JSON(status.pendingWrites)),
            ("threads", JSON(status.threads)),
            ("mails", JSON(status.messages)),
            ("counts", facts.counts.json),
            ("bodyBytes", JSON(status.bodies)),
            ("setAside", JSON(status.unreadableRecords)),
            ("store", .string(facts.store)),
        ])
        object["state"] = status.state.map(JSON.string)
        object["lastSync"] = status.lastSync.map { .string(RFC3339.string(from: $0)) }
        object["problem"] = facts.outcome.reason(login: facts.login.command).map(JSON.string)
        return .object(object)
    }
}
