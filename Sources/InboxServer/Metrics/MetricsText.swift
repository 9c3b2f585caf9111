/// Prometheus' text format, version 0.0.4: a family's HELP and TYPE, then its samples.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""
    private var name = ""

    /// Begins a family, to which the samples that follow belong.
    ///
    /// - Parameter help: Without line breaks and backslashes. Without a help text there is no HELP line.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        if !help.isEmpty { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample of the family. Whole numbers have no fraction.
    mutating func sample(_ value: Double, _ labels: [(String, String)] = []) {
        let number = Int(exactly: value).map { "\($0)" } ?? "\(value)"
        text += "\(name)\(Self.text(labels)) \(number)\n"
    }

    /// Adds a histogram: the cumulative buckets, the sum and the count.
    mutating func histogram(_ histogram: Histogram, _ labels: [(String, String)] = []) {
        var below = 0
        for (bound, count) in zip(histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
            below += count
            text += "\(name)_bucket\(Self.text(labels + [("le", bound)])) \(below)\n"
        }
        text += "\(name)_sum\(Self.text(labels)) \(histogram.sum)\n\(name)_count\(Self.text(labels)) \(below)\n"
    }

    /// Returns label pairs in braces, or nothing if there are none.
    static func text(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }
}
