import TextTable

/// A table style that measures columns as a terminal does: by the width of characters, without color sequences.
///
/// TextTable's own styles count characters instead.
enum TerminalStyle: TextTableStyle {
    static func prepare(_ text: String, for column: Column) -> String { text.padded(to: column.repeated(" ").count) }
    static func escape(_ table: String) -> String { table }
    static func begin(_ table: inout String, index: Int, columns: [Column]) {}
    static func end(_ table: inout String, index: Int, columns: [Column]) {}

    static func header(_ table: inout String, index: Int, columns: [Column]) {
        table += ANSIStyle.dim(trimmed(columns.map { $0.headerString(for: self) })) + "\n"
    }

    static func row(_ table: inout String, index: Int, columns: [Column]) {
        table += trimmed(columns.map { $0.string(for: self) }) + "\n"
    }

    private static func trimmed(_ cells: [String]) -> String {
        var line = cells.joined(separator: " ")
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension TextTable {
    /// Returns the lines of the table, with a header.
    func lines(_ rows: [T]) -> [String] {
        (string(for: rows, style: TerminalStyle.self) ?? "").split(separator: "\n").map { String($0) }
    }
}
