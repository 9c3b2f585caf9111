import Foundation

/// The lines as text.
enum Report {
    static func json(_ lines: [Line]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(lines), as: UTF8.self)
    }

    static func table(_ lines: [Line]) -> String {
        let header = ["benchmark", "ours", "raw", "ratio", "note"]
        let rows = [header] + lines.map(cells)
        let widths = header.indices.dropLast().map { column in rows.map { $0[column].count }.max() ?? 0 }
        func text(_ row: [String]) -> String {
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return (1...3).contains(column) ? space + cell.0 : cell.0 + space
            }
            return (cells + row.suffix(1)).joined(separator: "  ")
        }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "  ----"
        return ([text(header), rule] + rows.dropFirst().map(text)).joined(separator: "\n")
    }

    private static func cells(_ line: Line) -> [String] {
        let spread = line.ratioRange.map { number($0) }.joined(separator: "–")
        return [
            line.name, value(line.ours, line.measure), value(line.raw, line.measure), ratio(line),
            "\(line.note)\(latency(line)) (\(spread))",
        ]
    }

    private static func ratio(_ line: Line) -> String {
        "\(number(line.ratio)) of the \(line.measure.rawValue)"
    }

    private static func latency(_ line: Line) -> String {
        [("p50", line.p50), ("p99", line.p99)].compactMap { name, time in time.map { "; \(name) \(duration($0))" } }
            .joined()
    }

    /// Returns the lines as a Markdown table.
    static func markdown(_ lines: [Line]) -> String {
        let header = ["benchmark", "ours", "raw", "ratio", "least–greatest", "goal"]
        let rows = lines.map { line in
            [
                line.name, value(line.ours, line.measure), value(line.raw, line.measure), ratio(line),
                line.ratioRange.map { number($0) }.joined(separator: "–"), goal(line),
            ]
        }
        let rule = "|---|---:|---:|---:|---:|---:|"
        let notes = lines.map { wrapped("- \($0.name): \($0.note)\(latency($0)).") }
        return
            (["| \(header.joined(separator: " | ")) |", rule] + rows.map { "| \($0.joined(separator: " | ")) |" } + [""]
            + notes).joined(separator: "\n")
    }

    /// Returns an item of a list in lines of at most 120 columns.
    private static func wrapped(_ item: String) -> String {
        var lines = [""]
        for word in item.split(separator: " ") {
            if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + 1 + word.count > 120 {
                lines.append(" ")
            }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n")
    }

    private static func goal(_ line: Line) -> String {
        guard let goal = line.goal, let isReached = line.reachesGoal else { return "" }
        return "\(line.measure == .rate ? "≥" : "≤") \(number(goal))\(isReached ? "" : ", missed")"
    }

    private static func value(_ value: Double, _ measure: Line.Measure) -> String {
        switch measure {
        case .time: duration(value)
        case .rate: "\(Int(value.rounded()))/s"
        case .memory: "\(number(value / 1024)) kB"
        }
    }

    static func duration(_ seconds: Double) -> String {
        seconds < 0.001 ? "\(number(seconds * 1e6)) µs" : "\(number(seconds * 1000)) ms"
    }

    /// Returns a number with three significant digits, or all digits before the decimal point.
    static func number(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}
