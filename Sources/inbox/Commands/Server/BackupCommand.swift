import ArgumentParser
import Foundation
import InboxServer

/// `inbox backup`: a copy of a server's database.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up a server's database, even while the server runs.",
        discussion: """
            The backup contains the state at the start of the command. It appears under its name after it was verified \
            and written to disk, readable only by its owner. Run this as the server's user.

            Example:
              inbox backup inbox-$(date +%F).sqlite --database inbox.sqlite
            """
    )

    @Argument(help: ArgumentHelp("The backup to create.", valueName: "file"), completion: .file())
    var backup: String

    @Option(help: ArgumentHelp("The server's SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Flag(help: "Replace an existing backup with this name.")
    var force = false

    func validate() throws { try PathArgument.check(backup, of: "the backup") }

    func run() throws {
        let file = URL(fileURLWithPath: backup)
        try PageProgress.show { progress in
            try DatabaseBackup.make(
                of: DatabaseAddress(database).file,
                to: file,
                force: force,
                progress: progress
            )
        }
        Output.line("Backed up to \(file.path).")
    }
}
