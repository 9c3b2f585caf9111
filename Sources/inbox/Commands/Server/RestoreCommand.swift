import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox restore`: replaces a database with a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace a server's database with a backup.",
        discussion: """
            The server must not run. Messages sent since the backup are lost; devices sync everything again. The \
            existing database is read first: erased people, revoked API keys, ended tokens and rotated signing keys \
            stay so, and are reported. So leave that file in place, even if it is damaged. The restored file keeps its \
            owner and mode.

            Always restore with this command. After a plain copy of the file, devices that were ahead of it would miss \
            changes, and erased people would reappear.

            Example:
              inbox restore inbox-2026-05-01.sqlite --database inbox.sqlite --force
            """
    )

    @Argument(help: ArgumentHelp("The backup.", valueName: "backup"), completion: .file())
    var backup: String

    @Option(help: ArgumentHelp("The server's SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Flag(help: "Replace the existing database.")
    var force = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let file = try DatabaseAddress(database).file
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
                "Reapplied: \(counted(report.erasures, "erasure")) from after the backup, which removed "
                    + "\(people(report.erasedPeople))."
            )
        }
        if report.revokedKeys > 0 {
            lines.append("Revoked again: \(counted(report.revokedKeys, "API key")).")
        }
        if report.endedSessions > 0 {
            lines.append("Ended again: all tokens of \(people(report.endedSessions)).")
        }
        if report.endedTokens > 0 { lines.append("Ended again: \(counted(report.endedTokens, "individual token")).") }
        if report.hasLaterSigningKey { lines.append("Tokens are signed with the later key.") }
        return lines
    }

    private func people(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }

    private func warning(_ relation: RestoreReport.Relation) -> String? {
        switch relation {
        case .none, .sameServer: nil
        case .otherServer: "The replaced database was another server's. Nothing was applied from it."
        case .unreadable(let reason):
            """
            The replaced database can't be read completely (\(reason.plainLine)), so erasures and revocations since \
            the backup may be lost. Repeat them.
            """
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
