import Foundation
import HTMLCleaning
import HTMLInputs
import HTMLParsing
import RawCounterpart

/// Parsing and cleaning 100 kB of mail, compared with parsing it with libxml2, called from C, and with lexbor. All
/// times are of computing alone.
enum HTMLBenchmark {
    static let size = 100_000
    private static let repetitions = 50

    static func run(_ context: Context) async throws -> [Line] {
        let mail = Array(GeneratedMail.html(bytes: size).utf8)
        let file = try context.workspace.subfolder("html").appending(path: "mail.html")
        try Data(mail).write(to: file)
        guard let libxml = raw_libxml_open() else { throw BenchmarkError("libxml2 isn't installed") }
        defer { raw_libxml_close(libxml) }
        let cleaner = HTMLCleaner()
        var parsing: [(ours: Double, raw: Double)] = []
        var cleaning = parsing
        var besideLexbor = parsing
        for round in 0...context.effort.rounds {
            var (parsed, cleaned, raw): ([Double], [Double], [Double]) = ([], [], [])
            for _ in 0..<repetitions {
                parsed.append(
                    try computing {
                        guard HTMLParser.parse(mail).nodeCount > 1_000 else { throw BenchmarkError("too few nodes") }
                    }
                )
                cleaned.append(
                    try computing {
                        guard cleaner.clean(mail).reachedLimits.isEmpty else {
                            throw BenchmarkError("the mail was cut")
                        }
                    }
                )
                raw.append(
                    try computing {
                        let isParsed = mail.withUnsafeBytes { bytes in
                            raw_libxml_parse(libxml, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
                        }
                        guard isParsed else { throw BenchmarkError("libxml2 can't parse the mail") }
                    }
                )
            }
            let lexbor = try lexbor(file)
            guard round > 0 else { continue }
            parsing.append((median(parsed), median(raw)))
            cleaning.append((median(cleaned), median(raw)))
            besideLexbor.append((median(parsed), lexbor))
        }
        return [
            Line(
                "parse 100 kB of mail",
                .time,
                rounds: parsing,
                goal: 2,
                note: "the tree of a browser; raw: libxml2's HTML parser, called from C, and freeing its tree"
            ),
            Line(
                "parse 100 kB, lexbor",
                .time,
                rounds: besideLexbor,
                note: "the same; raw: lexbor through selectolax, in Python, which measures itself"
            ),
            Line(
                "clean 100 kB of mail",
                .time,
                rounds: cleaning,
                note: "parsed, style sheets applied, the new tree as markup; raw: libxml2 parses, and that is all"
            ),
        ]
    }

    /// The seconds in which lexbor parses a file.
    private static func lexbor(_ file: URL) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "scripts/python")
        process.arguments = ["python", "Benchmarks/lexbor.py", file.path(percentEncoded: false), "\(repetitions)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchmarkError("Benchmarks/lexbor.py failed") }
        return time
    }
}

/// How the time of cleaning grows with a mail.
enum HTMLGrowthBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let small = Array(GeneratedMail.html(bytes: 50_000).utf8)
        let cleaner = HTMLCleaner()
        return [200_000, 800_000].map { size in
            let large = Array(GeneratedMail.html(bytes: size).utf8)
            let factor = Double(large.count) / Double(small.count)
            var rounds: [(ours: Double, raw: Double)] = []
            for round in 0...context.effort.rounds {
                var (ours, raw): ([Double], [Double]) = ([], [])
                for _ in 0..<10 {
                    ours.append(cleaner.time(of: large))
                    raw.append(cleaner.time(of: small) * factor)
                }
                if round > 0 { rounds.append((median(ours), median(raw))) }
            }
            return Line(
                "clean \(size / 1_000) kB of mail",
                .time,
                rounds: rounds,
                goal: 1.5,
                note: "as above; raw: 50 kB, times the ratio of the sizes"
            )
        }
    }
}

/// How the time of cleaning grows with inputs that are made to be costly. Quadratic time would be four times that of
/// linear time here.
enum HTMLHostileBenchmark {
    private static let sizes = (small: 25_000, large: 100_000)

    static func run(_ context: Context) async throws -> [Line] {
        let cleaner = HTMLCleaner()
        let mail = Array(GeneratedMail.html(bytes: sizes.large).utf8)
        let inputs = HostileInput.all.map { input in
            (input.name, small: Array(input.text(sizes.small).utf8), large: Array(input.text(sizes.large).utf8))
        }
        var growths: [String: [(ours: Double, raw: Double)]] = [:]
        var times = growths
        for round in 0...context.effort.rounds {
            let ordinary = cleaner.time(of: mail)
            for (name, small, large) in inputs {
                let factor = Double(large.count) / Double(small.count)
                let time = min(cleaner.time(of: large), cleaner.time(of: large))
                let expected = min(cleaner.time(of: small), cleaner.time(of: small)) * factor
                guard round > 0 else { continue }
                growths[name, default: []].append((time, expected))
                times[name, default: []].append((time, ordinary))
            }
        }
        func worst(_ rounds: [String: [(ours: Double, raw: Double)]]) throws -> (name: String, [(Double, Double)]) {
            let found = rounds.max { ratio($0.value) < ratio($1.value) }
            guard let found else { throw BenchmarkError("there are no hostile inputs") }
            return (found.key, found.value)
        }
        func ratio(_ rounds: [(ours: Double, raw: Double)]) -> Double { median(rounds.map { $0.ours / $0.raw }) }
        let (growing, growth) = try worst(growths)
        let (slowest, time) = try worst(times)
        return [
            Line(
                "growth of \(inputs.count) hostile inputs",
                .time,
                rounds: growth.map { (ours: $0.0, raw: $0.1) },
                goal: 2,
                note:
                    "the one that grows most from 25 to 100 kB when cleaned, \(shown(growing)); raw: 25 kB, four times"
            ),
            Line(
                "slowest of \(inputs.count) hostile inputs",
                .time,
                rounds: time.map { (ours: $0.0, raw: $0.1) },
                note: "100 kB, cleaned, \(shown(slowest)); raw: 100 kB of mail"
            ),
        ]
    }

    /// A name without characters that a table in Markdown would read.
    private static func shown(_ name: String) -> String { "`\(name.replacing("|", with: " ").prefix(60))`" }
}

extension HTMLCleaner {
    /// The seconds of computing in which a message is cleaned.
    fileprivate func time(of html: [UInt8]) -> Double { computing { clean(html) } }
}

/// Returns the processor time of a piece of work on this thread, in seconds. Unlike the time on the clock, it doesn't
/// depend on what else the machine does.
private func computing<Result>(_ body: () throws -> Result) rethrows -> Double {
    let start = raw_thread_time()
    withExtendedLifetime(try body()) {}
    return raw_thread_time() - start
}
