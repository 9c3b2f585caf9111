import Foundation
import InboxClient
import Replica

/// 10,000 messages of one JMAP response, from text to durable rows, compared with one SQLite statement that does the
/// same.
enum ResponseBenchmark {
    private static let count = 10_000

    static func run(_ context: Context) async throws -> [Line] {
        let template = try await DeviceStore(in: context.workspace.subfolder("answer"))
        let answer = Corpus.answer(count)
        let now = Int(Date().timeIntervalSince1970 * 1000)

        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let ours = try template.copy(to: context.workspace.subfolder("ours"))
            let raw = try template.copy(to: context.workspace.subfolder("raw"))
            let store = try ours.open()
            let time = try await seconds { try await DeviceStore.apply(answer, to: store) }
            await store.close()
            let database = try RawDatabase(raw.location.file)
            let rawTime = try seconds { try database.execute(rawInsert(now: now), text: answer) }
            if round == 0 {
                try compare(database, with: ours.location.file)
            } else {
                rounds.append((Double(count) / time, Double(count) / rawTime))
            }
            try FileManager.default.removeItem(at: ours.directory)
            try FileManager.default.removeItem(at: raw.directory)
        }
        let size = Double(answer.count) / 1_048_576
        return [
            Line(
                "answer to rows, 10,000",
                .rate,
                rounds: rounds,
                goal: 1,
                note: "messages of one answer of \(Report.number(size)) MB, durable; raw: json_each, INSERT … SELECT"
            )
        ]
    }

    /// Returns one statement that reads the response and writes the same columns as the client: dates as milliseconds,
    /// and phase and due by the type's rules.
    private static func rawInsert(now: Int) -> String {
        let type = RecordType.message
        func field(_ name: String) -> String { "json_extract(value, '$.\(name)')" }
        let values = type.columns.map { column in
            var value = field(column.name)
            if column.kind == .date {
                value = "CAST(round((julianday(\(value)) - 2440587.5) * 86400000) AS INTEGER)"
            }
            switch column.missing {
            case .null, .invalid: break
            case .text(let text): value = "ifnull(\(value), '\(text)')"
            case .integer(let number): value = "ifnull(\(value), \(number))"
            }
            return "\(value) AS \(column.name)"
        }
        let names = type.columns.map(\.name)
        let writable = type.columns.filter(\.isWritable).map(\.name)
        func rule(_ text: String) -> String {
            text.replacing(#/\{(\w+)\}/#) { String($0.output.1) }.replacing(":now", with: String(now))
        }
        let columns = ["id", "json", "revision"] + names + writable.map { "server_" + $0 } + ["phase", "due"]
        let selected = ["id", "json", "1"] + names + writable + [rule(type.phase), rule(type.dueRule)]
        return """
            INSERT INTO \(type.table)(\(columns.joined(separator: ", ")))
                SELECT \(selected.joined(separator: ", ")) FROM (
                    SELECT \(field("id")) AS id, CAST(value AS BLOB) AS json, \(values.joined(separator: ", "))
                    FROM json_each(?, '$.methodResponses[0][1].list') LIMIT -1)
            """
    }

    /// Verifies that both have written the same rows.
    private static func compare(_ database: RawDatabase, with ours: URL) throws {
        try database.execute("ATTACH '\(ours.path)' AS ours")
        let type = RecordType.message
        let columns =
            (["id", "json", "phase", "due"] + type.columns.map(\.name)
            + type.columns.filter(\.isWritable).map { "server_" + $0.name }).joined(separator: ", ")
        let different = database.integer(
            """
            SELECT (SELECT count(*) FROM (SELECT \(columns) FROM ours.\(type.table)
                    EXCEPT SELECT \(columns) FROM main.\(type.table)))
                + (SELECT count(*) FROM (SELECT * FROM ours.\(type.countTable)
                    EXCEPT SELECT * FROM main.\(type.countTable)))
                + (SELECT abs(\(count) - count(*)) FROM ours.\(type.table))
            """
        )
        guard different == 0 else { throw BenchmarkError("SQLite writes different rows: \(different)") }
        try database.execute("DETACH ours")
    }
}
