/// The cells of a table as texts.
struct TextGrid {
    private var rows: [[String]] = []
    private var needsSpace = false

    mutating func beginRow() { rows.append([]) }

    mutating func beginCell() {
        if rows.isEmpty { beginRow() }
        rows[rows.count - 1].append("")
        needsSpace = false
    }

    mutating func space() { needsSpace = true }

    mutating func append(_ word: String) {
        if rows.last?.isEmpty ?? true { beginCell() }
        let row = rows.count - 1
        let cell = rows[row].count - 1
        if needsSpace, !rows[row][cell].isEmpty { rows[row][cell] += " " }
        needsSpace = false
        rows[row][cell] += word
    }

    /// Writes the cells in columns, if they fit. Otherwise each cell begins a line.
    func write(to writer: inout TextWriter) {
        let rows = rows.filter { row in row.contains { !$0.isEmpty } }
        var widths: [Int] = []
        for row in rows where row.count > 1 {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], TextWidth.columns(of: cell))
            }
        }
        let total = widths.reduce(0, +) + 2 * max(widths.count - 1, 0)
        for row in rows {
            writer.endLine()
            if row.count > 1, total <= writer.available {
                writer.wrapAnywhere(Self.line(row, widths))
                continue
            }
            for cell in row {
                writer.endLine()
                for word in cell.split(separator: " ") {
                    writer.space()
                    writer.word(String(word))
                }
            }
        }
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in row.enumerated() {
            line += cell
            guard column + 1 < row.count else { break }
            line += String(repeating: " ", count: widths[column] - TextWidth.columns(of: cell) + 2)
        }
        return line
    }
}
