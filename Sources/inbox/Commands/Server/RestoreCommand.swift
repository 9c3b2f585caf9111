import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox restore`: replaces a database with a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a server's database.",
        discussion: """
            The server must not run. Messages sent since the backup are lost; devices sync everything again. What ended \
            since in the database that is there stays ended, and is said: people who were erased, API keys that were revoked, tokens, \
            and the key that signs them. So leave that file where it is, also where it is damaged. The restored file keeps \
            its owner and mode.

            Always restore with this command: with a mere copy of the file, devices that were ahead of it would miss \
            changes, and erased people would be back.

            Example:
              inbox restore inbox-2026-05-01.sqlite --database inbox.sqlite --force
            """
    )

    @Argument(help: ArgumentHelp("The backup.", valueName: "backup"), completion: .file())
    var backup: String

    @Option(help: ArgumentHelp("The SQLite file that the server is to use.", valueName: "file"), completion: .file())
    var database: String

    @Flag(help: "Replace the database that is there.")
    var force = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let file = URL(fileURLWithPath: database)
        let report = try PageProgress.show { progress in
            try DatabaseBackup.restore(
                URL(fileURLWithPath: backup),
                to: file,
                force: force,
                progress: progress
            )
        }
        if json { return Output.line(object(report, file).description) }
        Output.line("Restored to \(file.path).")
        for line in lines(report) { Output.line(line) }
        if let warning = warning(report.relation) { Output.note("inbox: \(warning)") }
    }

    private func lines(_ report: RestoreReport) -> [String] {
        var lines: [String] = []
        if report.erasures > 0 {
            lines.append(
                "Applied again: \(counted(report.erasures, "erasure")) from after the backup, which had "
                    + "\(people(report.erasedPeople)) of them."
            )
        }
        if report.revokedKeys > 0 {
            lines.append("Revoked again: \(counted(report.revokedKeys, "API key")).")
        }
        if report.endedSessions > 0 {
            lines.append("Ended again: all tokens of \(people(report.endedSessions)).")
        }
        if report.endedTokens > 0 { lines.append("Ended again: \(counted(report.endedTokens, "single token")).") }
        if report.hasLaterSigningKey { lines.append("The key that signs tokens is the later one.") }
        return lines
    }

    private func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }

    private func warning(_ relation: RestoreReport.Relation) -> String? {
        switch relation {
        case .none, .sameServer: nil
        case .otherServer: "The file that was there is another server's; nothing of it was applied."
        case .unreadable(let reason):
            "The file that was there can't be read, or not all of it (\(reason.plainLine)): what was erased and revoked since the backup isn't all known. Erase and revoke it again."
        }
    }

    private func object(_ report: RestoreReport, _ file: URL) -> JSON {
        var object = JSONObject([("database", .string(file.path))])
        let former =
            switch report.relation {
            case .none: "none"
            case .sameServer: "later"
            case .otherServer: "another"
            case .unreadable: "unreadable"
            }
        object.add("former", .string(former))
        if case .unreadable(let reason) = report.relation { object.add("reason", .string(reason)) }
        object.add("erasures", JSON(report.erasures))
        object.add("erasedPeople", JSON(report.erasedPeople))
        object.add("revokedKeys", JSON(report.revokedKeys))
        object.add("endedSessions", JSON(report.endedSessions))
        object.add("endedTokens", JSON(report.endedTokens))
        object.add("laterSigningKey", .bool(report.hasLaterSigningKey))
        return .object(object)
    }
}
