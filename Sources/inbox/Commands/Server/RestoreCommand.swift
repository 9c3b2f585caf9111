import ArgumentParser
import Foundation
import InboxServer

/// `inbox restore`: a backup in a database's place.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a server's database.",
        discussion: """
            The server must not run. What was sent since the backup is gone, and API keys that were revoked since work \
            again; devices look at everything anew. Always restore with this command: with a mere copy of the file, devices that \
            were ahead of it would miss changes.

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

    func run() throws {
        let file = URL(fileURLWithPath: database)
        try PageProgress.show { progress in
            try DatabaseBackup.restore(
                URL(fileURLWithPath: backup),
                to: file,
                force: force,
                progress: progress
            )
        }
        Output.line("Restored to \(file.path).")
    }
}
