import ArgumentParser
import Foundation
import InboxServer

/// `inbox backup`: a copy of a server's database.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a server's database, also while the server runs.",
        discussion: """
            The copy is the state at the beginning. It appears under its name once it was looked through and is on \
            the disk; only its owner can read it. Run this as the server's user.

            Example:
              inbox backup inbox-$(date +%F).sqlite --database inbox.sqlite
            """
    )

    @Argument(help: ArgumentHelp("The backup to be made.", valueName: "file"), completion: .file())
    var backup: String

    @Option(help: ArgumentHelp("The server's SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Flag(help: "Replace an earlier backup of that name.")
    var force = false

    func run() throws {
        let file = URL(fileURLWithPath: backup)
        try PageProgress.show { progress in
            try DatabaseBackup.make(
                of: URL(fileURLWithPath: database),
                to: file,
                force: force,
                progress: progress
            )
        }
        Output.line("Backed up to \(file.path).")
    }
}
