import ArgumentParser
import Foundation
import Groundwork
import InboxServer

/// `inbox doctor`: checks a server's database, and changes nothing.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check a server's database, even while servers run.",
        discussion: """
            Reads the whole database, which takes a while for a large one, and changes nothing. Exits with 1 if it \
            finds or expects damage.

            Examples:
              inbox doctor --database inbox.sqlite
              inbox doctor --database postgres://inbox@db.example.com/inbox
            """
    )

    @Option(help: ArgumentHelp("The server's SQLite file, or postgres://…", valueName: "database"), completion: .file())
    var database: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let checkup = try DatabaseCheckup(of: DatabaseAddress(database).read())
        if json {
            Output.line(object(checkup).description)
        } else {
            let width = (checkup.findings.map(\.name.count).max() ?? 0) + 1
            for finding in checkup.findings { show(finding, width) }
        }
        if !checkup.isHealthy { throw Failure.reported }
    }

    /// Prints a finding, with its advice.
    ///
    /// - Parameter width: The number of columns for the name.
    private func show(_ finding: DatabaseCheckup.Finding, _ width: Int) {
        let (mark, role): (String, ANSIStyle.Role) =
            switch finding.verdict {
            case .good: ("✓", .success)
            case .notice: ("!", .warning)
            case .trouble: ("✗", .failure)
            }
        let value = finding.verdict == .good ? finding.value : role.apply(to: finding.value)
        Output.line("\(role.apply(to: mark)) \(ANSIStyle.dim(finding.name.padded(to: width)))\(value)")
        if let advice = finding.advice { Output.line(String(repeating: " ", count: width + 2) + advice) }
    }

    private func object(_ checkup: DatabaseCheckup) -> JSON {
        let findings = checkup.findings.map { finding in
            var object = JSONObject([
                ("name", .string(finding.name)), ("value", .string(finding.value)),
                ("verdict", .string(finding.verdict.rawValue)),
            ])
            object["advice"] = finding.advice.map(JSON.string)
            return JSON.object(object)
        }
        return ["healthy": .bool(checkup.isHealthy), "findings": .array(findings)]
    }
}
