import Foundation

/// The page with the figures of the last full run, between two markers.
struct Document: Sendable {
    let file: URL

    private static let begin = "<!-- figures -->\n"
    private static let end = "<!-- end of figures -->"

    func replaceFigures(with table: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let begin = text.range(of: Self.begin), let end = text.range(of: Self.end),
            begin.upperBound <= end.lowerBound
        else { throw BenchmarkError("\(file.lastPathComponent) lacks the markers of the figures") }
        let date = Date.now.formatted(.iso8601.year().month().day())
        let figures = "\n\(date), \(Machine.description)\n\n\(table)\n\n"
        try Data((text[..<begin.upperBound] + figures + text[end.lowerBound...]).utf8).write(to: file)
    }
}

/// The machine of the run.
enum Machine {
    static var description: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return "\(cores) cores, \(ProcessInfo.processInfo.operatingSystemVersionString)."
    }
}
