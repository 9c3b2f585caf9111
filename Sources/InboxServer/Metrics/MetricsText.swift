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
    /// - Parameter help: Without line breaks and backslashes.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A family of one number.
    mutating func single(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ value: some Numeric & LosslessStringConvertible
    ) {
        family(name, kind, help)
        text += "\(name) \(value)\n"
    }

    /// A sample of the family: the steps, each with those before it, then sum and count.
    mutating func histogram(_ histogram: Histogram, _ labels: [(String, String)] = []) {
        var below = 0
        for (bound, count) in zip(histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
            below += count
            text += "\(name)_bucket\(Self.text(labels + [("le", bound)])) \(below)\n"
        }
        text += "\(name)_sum\(Self.text(labels)) \(histogram.sum)\n\(name)_count\(Self.text(labels)) \(below)\n"
    }

    private static func text(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }
}
