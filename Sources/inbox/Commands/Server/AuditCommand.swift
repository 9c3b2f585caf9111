import ArgumentParser
import Foundation
import Groundwork

/// `inbox audit`: the audit log of keys, tokens and people.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show the audit log of a running server, newest first.",
        discussion: """
            Shows who created, revoked and rotated keys, ended tokens, erased, exported, imported and restored data, \
            and failed sign-ins per hour. The API key needs the scope audit.

            Example:
              INBOX_KEY=… inbox audit --kind tokens.ended --since -7d
            """
    )

    @OptionGroup var serverOptions: ServerOptions

    @Option(help: ArgumentHelp("Only entries of this kind, such as key.made.", valueName: "kind"))
    var kind: String?

    @Option(help: ArgumentHelp("Only entries about this person.", valueName: "person"))
    var person: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only entries since this time: 2026-05-01T08:00:00Z, or -2h, -7d, -1w. Days and weeks keep the local time "
                + "of day across a change of the clocks.",
            valueName: "time"
        )
    )
    var since: TimeArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only entries before this time, in the same formats.", valueName: "time")
    )
    var until: TimeArgument?

    @Option(help: ArgumentHelp("The maximum number of entries.", valueName: "n"))
    var limit = 100

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws {
        if let person { try PersonArgument.check(person) }
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit has to be from 1 to 1000.") }
    }

    func run() async throws {
        let now = Date()
        var query = [("limit", String(limit))]
        if let kind { query.append(("kind", kind)) }
        if let person { query.append(("person", person)) }
        if let since { query.append(("since", RFC3339.string(from: since.date(now: now)))) }
        if let until { query.append(("until", RFC3339.string(from: until.date(now: now)))) }
        let answer = try await serverOptions.makeAPI().call("GET", ["v1", "audit"], query: query)
        guard let entries = answer?["entries"]?.arrayValue else { throw ServerAPIError.malformed }
        for line in json ? entries.map(\.description) : Self.lines(entries) { Output.line(line) }
        if !json, answer?["next"] != nil { Output.note("inbox: There are more entries. Use an earlier --until.") }
    }

    /// Returns the entries as lines with the columns time, kind, key, person and details. A column without a text is
    /// left out.
    static func lines(_ entries: [JSON]) -> [String] {
        let rows = entries.map(cells)
        let widths = (0..<4).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            let texts = (0...last).filter { $0 == 4 || widths[$0] > 0 }.map { column in
                let text = column == last ? row[column] : row[column].padded(to: widths[column])
                return switch column {
                case 0: ANSIStyle.dim(text)
                case 3: ANSIStyle.bold(text)
                default: text
                }
            }
            return texts.joined(separator: "  ")
        }
    }

    private static func cells(_ entry: JSON) -> [String] {
        func text(_ name: String) -> String? { entry[name]?.stringValue?.plainLine }
        var details: [String] = []
        if let count = entry["count"]?.intValue { details.append("\(count) in one hour") }
        if let reason = text("reason") { details.append(reason) }
        if let erasure = text("erasure") { details.append("erased: \(erasure)") }
        if let detail = entry["detail"] { details.append(detail.description.plainLine) }
        return [
            text("at") ?? "", text("kind") ?? "", text("by").map { "by \($0)" } ?? "", text("person") ?? "",
            details.joined(separator: "  "),
        ]
    }
}
