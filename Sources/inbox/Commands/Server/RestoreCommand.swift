import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox restore`: replaces a database with a backup, or completes a restore by PostgreSQL's tools.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace a server's database with a backup, or complete a restore by PostgreSQL's tools.",
        discussion: """
            With SQLite: The server must not run. Messages sent since the backup are lost; devices sync everything \
            again. The existing database is read first: erased people, revoked API keys, ended tokens and rotated \
            signing keys stay so, and are reported. So leave that file in place, even if it is damaged. The restored \
            file keeps its owner and mode.

            Always restore with this command. After a plain copy of the file, devices that were ahead of it would miss \
            changes, and erased people would reappear.

            With PostgreSQL: Stop all servers, restore with PostgreSQL's own tools, and run this command without a \
            backup before the first server starts. It begins a new generation of states, so that devices that were \
            ahead of the backup compare what they hold. After a failover that has lost commits, it is needed too, and \
            no server starts before. Erasures, revoked API keys and ended tokens since the backup \
            are back: end them again.

            Examples:
              inbox restore inbox-2026-05-01.sqlite --database inbox.sqlite --force
              inbox restore --database postgres://inbox@db.example.com/inbox
            """
    )

    @Argument(help: ArgumentHelp("The backup of a SQLite file.", valueName: "backup"), completion: .file())
    var backup: String?

    @Option(help: ArgumentHelp("The server's SQLite file, or postgres://…", valueName: "database"), completion: .file())
    var database: String

    @Flag(help: "Replace the existing file.")
    var force = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws { try PathArgument.check(backup, of: "the backup") }

    func run() throws {
        guard let backup else { return try completeRestore() }
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

    /// Completes a restore by PostgreSQL's tools.
    private func completeRestore() throws {
        let address = DatabaseAddress(database)
        guard address.isPostgreSQL else {
            throw ValidationError("Name the backup: inbox restore backup.sqlite --database \(database)")
        }
        guard !force else { throw ValidationError("--force is for SQLite files: nothing is replaced here.") }
        try RestoredDatabase.beginGeneration(of: address.read())
        if json { return Output.line(JSON.object(JSONObject([("generation", "begun")])).description) }
        Output.line("A new generation of states has begun: each device compares once what it holds.")
        Output.line("Erasures, revoked API keys and ended tokens since the backup are back. End them again.")
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
