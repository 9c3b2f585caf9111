import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox move`: moves a server's whole database from SQLite to PostgreSQL, or back.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a server's database from SQLite to PostgreSQL, or back.",
        discussion: """
            Stop the server first. The target is a new file or an empty database; no server starts on it until the \
            move is complete. All ids, states, tokens and keys stay, so devices and backends notice nothing. At the \
            end, all rows of both are compared.

            After an interruption, run the same command again: it goes on where it was. The source's data are never \
            changed. Keep it until the server runs on the target, and start no server on it. One of PostgreSQL is \
            marked at the end, and no server starts on it.

            Examples:
              inbox move --from inbox.sqlite --to postgres://inbox@db.example.com/inbox
              inbox move --from postgres://inbox@db.example.com/inbox --to inbox.sqlite
            """
    )

    @Option(help: ArgumentHelp("The server's SQLite file, or postgres://…", valueName: "database"), completion: .file())
    var from: String

    @Option(help: ArgumentHelp("The new file, or an empty database.", valueName: "database"), completion: .file())
    var to: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let source = try DatabaseAddress(from, option: "--from").read()
        let target = try DatabaseAddress(to, option: "--to").read()
        guard DatabaseMove.isPossible(from: source, to: target) else {
            throw ValidationError(
                "One of --from and --to has to be a SQLite file, the other one postgres://…. To copy a file, use inbox "
                    + "backup; to copy a PostgreSQL database, pg_dump."
            )
        }
        let start = ContinuousClock.now
        let report: MoveReport
        do {
            report = try MoveBar.show { try DatabaseMove.run(from: source, to: target, progress: $0) }
        } catch let error as MoveDifferences {
            for difference in error.differences { Output.note(difference.plainLine) }
            throw Failure(error.description)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if json { return Output.line(object(report, seconds).description) }
        let tables = report.tables.count { $0.rows > 0 }
        Output.line(
            "Moved \(counted(report.rows, "row")) of \(counted(tables, "table")) in \(Self.text(seconds)), and "
                + "compared all of them."
        )
        Output.line("From \(report.source)")
        Output.line("To   \(report.target)")
        Output.line("Start the server with the new --database. The old one has all its data: start no server on it,")
        Output.line("and remove it, with its people's data, once the new one has a backup.")
    }

    private static func text(_ seconds: Double) -> String {
        seconds < 100 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds / 60)) min \(Int(seconds) % 60) s"
    }

    private func object(_ report: MoveReport, _ seconds: Double) -> JSON {
        [
            "from": .string(report.source), "to": .string(report.target), "rows": JSON(report.rows),
            "tables": .object(JSONObject(report.tables.map { ($0.name, JSON($0.rows)) })),
            "continued": .bool(report.isContinued), "milliseconds": JSON(Int(seconds * 1_000)),
        ]
    }
}

/// A progress bar over the rows of a move, at a terminal: the first half while they are moved, the second while they
/// are compared.
private enum MoveBar {
    static func show<Value>(_ body: (_ progress: @escaping (MoveProgress) -> Void) throws -> Value) throws -> Value {
        guard Terminal.showsNotes else { return try body { _ in } }
        var bar = ProgressBar(total: 0) { done, total in
            let half = total / 2
            return done < half ? "\(done) of \(half) rows moved" : "\(done - half) of \(half) rows compared"
        }
        defer { bar.clear() }
        return try body { progress in
            let done = progress.phase == .moving ? progress.done : progress.total + progress.done
            bar.update(to: done, of: progress.total * 2)
        }
    }
}
