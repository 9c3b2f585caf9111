import ArgumentParser
import Foundation

/// Runs the benchmarks. The other commands are processes that the benchmarks start.
@main
struct InboxBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox-bench",
        abstract: "Measures the hot paths, each compared with its raw counterpart in the same run.",
        subcommands: [RunCommand.self, ServeCommand.self, ObserveCommand.self, BareCommand.self],
        defaultSubcommand: RunCommand.self
    )
}

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the benchmarks.",
        shouldDisplay: false
    )

    @Flag(help: "Fewer and shorter rounds.")
    var quick = false

    @Flag(help: "Compare databases of up to a million people, and of ten million where there is room for them.")
    var large = false

    @Option(help: "A number of people in a database of PostgreSQL, more than once: the first is the raw one.")
    var people: [Int] = []

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Option(help: "A Markdown file whose table between the two markers is replaced.")
    var write: String?

    @Option(help: "Only the benchmarks whose name contains this text.")
    var filter: String?

    func run() async throws {
        // A write to a closed connection then returns an error instead of ending this process.
        signal(SIGPIPE, SIG_IGN)
        var effort = quick ? Effort.quick : .full
        if large { effort.people = [10_000, 100_000, 1_000_000, 10_000_000] }
        if !people.isEmpty { effort.people = people }
        let context = try Context(effort)
        do {
            let (lines, failures) = try await lines(context)
            print(json ? try Report.json(lines) : Report.table(lines))
            // Figures are written together: a page of two runs would compare what wasn't measured beside each other.
            if let write, failures.isEmpty {
                try Document(file: URL(fileURLWithPath: write)).replaceFigures(with: Report.markdown(lines))
            }
            if let failure = failures.first {
                throw BenchmarkError("\(failures.count) of the benchmarks failed, the first with: \(failure)")
            }
        } catch {
            await context.close()
            throw error
        }
        await context.close()
    }

    /// Runs the benchmarks. One that fails doesn't cost the figures of the others.
    private func lines(_ context: Context) async throws -> (lines: [Line], failures: [any Error]) {
        var lines: [Line] = []
        var failures: [any Error] = []
        for benchmark in Self.benchmarks where filter.map({ benchmark.name.contains($0) }) ?? true {
            if !json { FileHandle.standardError.write(Data("\(benchmark.name) …\n".utf8)) }
            do {
                lines += try await benchmark.run(context)
            } catch {
                FileHandle.standardError.write(Data("\(benchmark.name): failed: \(error)\n".utf8))
                failures.append(error)
            }
        }
        guard !lines.isEmpty || !failures.isEmpty else {
            let names = Self.benchmarks.map(\.name).joined(separator: ", ")
            throw ValidationError("No benchmark's name contains this text. The benchmarks are: \(names).")
        }
        return (lines, failures)
    }

    private static let benchmarks = withoutPostgres + onPostgres

    private static let withoutPostgres: [Benchmark] = [
        Benchmark(name: "newest-50", run: NewestBenchmark.run),
        Benchmark(name: "answer-to-rows", run: ResponseBenchmark.run),
        Benchmark(name: "mark-read", run: ActionBenchmark.run),
        Benchmark(name: "one-change", run: ChangeBenchmark.run),
        Benchmark(name: "open", run: OpenBenchmark.run),
        Benchmark(name: "cards", run: CardBenchmark.run),
        Benchmark(name: "screen", run: ScreenBenchmark.run),
        Benchmark(name: "memory", run: MemoryBenchmark.run),
        Benchmark(name: "http-nothing-new", run: NothingNewBenchmark.run),
        Benchmark(name: "http-newest-50", run: ServedNewestBenchmark.run),
        Benchmark(name: "http-page", run: PageBenchmark.run),
        Benchmark(name: "http-send", run: SendBenchmark.run),
        Benchmark(name: "http-send-many", run: SendManyBenchmark.run),
        Benchmark(name: "event-streams", run: EventStreamBenchmark.run),
        Benchmark(name: "fair-use", run: FairUseBenchmark.run),
        Benchmark(name: "hostile-person", run: HostilePersonBenchmark.run),
        Benchmark(name: "server-memory", run: ServerMemoryBenchmark.run),
        Benchmark(name: "sizes", run: SizeBenchmark.run),
        Benchmark(name: "whole-inbox", run: WholeInboxBenchmark.run),
        Benchmark(name: "mail-first-sync", run: MailFirstSyncBenchmark.run),
        Benchmark(name: "mail-threads", run: MailThreadsBenchmark.run),
        Benchmark(name: "mail-search", run: MailSearchBenchmark.run),
        Benchmark(name: "mail-contacts", run: ContactBenchmark.run),
        Benchmark(name: "mail-nothing-new", run: MailNothingNewBenchmark.run),
        Benchmark(name: "mail-drafts", run: DraftBenchmark.run),
        Benchmark(name: "mail-sending", run: MailSendingBenchmark.run),
        Benchmark(name: "html", run: HTMLBenchmark.run),
        Benchmark(name: "html-growth", run: HTMLGrowthBenchmark.run),
        Benchmark(name: "html-hostile", run: HTMLHostileBenchmark.run),
    ]

    #if PostgreSQL
        private static let onPostgres: [Benchmark] = [
            Benchmark(name: "postgresql-nothing-new", run: PostgresNothingNewBenchmark.run),
            Benchmark(name: "postgresql-newest-50", run: PostgresNewestBenchmark.run),
            Benchmark(name: "postgresql-send", run: PostgresSendBenchmark.run),
            Benchmark(name: "postgresql-heard", run: PostgresHearingBenchmark.run),
            Benchmark(name: "postgresql-many", run: PostgresSendManyBenchmark.run),
            Benchmark(name: "postgresql-growth", run: PostgresGrowthBenchmark.run),
        ]
    #else
        private static let onPostgres: [Benchmark] = []
    #endif
}

/// One or more lines of the report.
struct Benchmark: Sendable {
    let name: String
    let run: @Sendable (Context) async throws -> [Line]
}

/// The amount of measurement.
struct Effort: Sendable {
    /// The number of alternating rounds of ours and the raw counterpart.
    let rounds: Int
    /// The duration of one run against a server, in seconds.
    let runSeconds: Double
    /// The number of messages in an inbox on the server.
    let inbox: Int
    /// The number of recipients of one message.
    let recipients: Int
    /// The number of concurrently open event streams.
    let streams: Int
    /// The duration in seconds for which the server's memory is observed.
    let memoryDuration: Double
    /// The sizes that are compared with 1,000: of an inbox, and of the number of people.
    let sizes: [Int]
    /// The number of mails in a mailbox.
    let mails: Int
    /// The numbers of people in a database of PostgreSQL, of which the first is compared with the others.
    var people: [Int]

    static let full = Effort(
        rounds: 5,
        runSeconds: 1,
        inbox: 10_000,
        recipients: 10_000,
        streams: 5_000,
        memoryDuration: 60,
        sizes: [100_000, 1_000_000],
        mails: 10_000,
        people: [10_000, 100_000]
    )
    static let quick = Effort(
        rounds: 3,
        runSeconds: 0.4,
        inbox: 1_000,
        recipients: 1_000,
        streams: 500,
        memoryDuration: 10,
        sizes: [20_000],
        mails: 1_000,
        people: [1_000, 10_000]
    )
}
