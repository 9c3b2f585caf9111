import ArgumentParser
import InboxServer

/// The limits on the use of the server by one person and by one API key.
struct FairUseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How many requests one person's devices may send: per second on average, and at once. Use none for no \
            limit.
            """,
            valueName: "n/burst"
        ),
        transform: Self.rate
    )
    var personRate: FairUse.Rate? = FairUse().personRate

    @Option(
        help: ArgumentHelp("The same for records that one person's devices change.", valueName: "n/burst"),
        transform: Self.rate
    )
    var changeRate: FairUse.Rate? = FairUse().changeRate

    @Option(
        help: ArgumentHelp("The same for requests with one API key.", valueName: "n/burst"),
        transform: Self.rate
    )
    var keyRate: FairUse.Rate? = FairUse().keyRate

    @Option(help: ArgumentHelp("How many event streams one person may keep open.", valueName: "n"))
    var personStreams = FairUse().streams

    @Option(help: ArgumentHelp("How many seconds one request of a person may spend reading.", valueName: "s"))
    var readingTime = FairUse().readingTime

    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "Another limit, such as events=200000. Repeatable. Documentation/Limits.md lists the names.",
            valueName: "name=n"
        ),
        transform: { try Limit($0) }
    )
    var limits: [Limit] = []

    /// A limit with a name and a value.
    struct Limit: Hashable {
        /// The limits by their names on the command line.
        static let fields: [(name: String, path: any WritableKeyPath<FairUse, Int> & Sendable)] = [
            ("rows", \.rows), ("answer-bytes", \.responseSize), ("person-bytes", \.personSize), ("readers", \.readers),
            ("events", \.events), ("event-bytes", \.eventSize), ("epochs", \.epochs), ("files", \.files),
            ("file-bytes", \.fileSize),
        ]
        let name: String
        let value: Int

        init(_ text: String) throws {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { String($0) }
            let names = Self.fields.map(\.name)
            guard parts.count == 2, names.contains(parts[0]) else {
                throw ValidationError(
                    """
                    A limit has the format name=n, such as events=200000. The names are \
                    \(names.joined(separator: ", ")).
                    """
                )
            }
            guard let value = Int(parts[1]), (1...1_000_000_000_000).contains(value) else {
                throw ValidationError("\(parts[0]) has to be a whole number from 1 to 1000000000000.")
            }
            (name, self.value) = (parts[0], value)
        }
    }

    var fairUse: FairUse {
        var fairUse = FairUse()
        for limit in limits {
            for field in Limit.fields where field.name == limit.name { fairUse[keyPath: field.path] = limit.value }
        }
        fairUse.personRate = personRate
        fairUse.changeRate = changeRate
        fairUse.keyRate = keyRate
        fairUse.streams = personStreams
        fairUse.readingTime = readingTime
        return fairUse
    }

    func validate() throws {
        guard personStreams > 0 else { throw ValidationError("--person-streams has to be more than 0.") }
        guard readingTime > 0, readingTime <= 3_600 else {
            throw ValidationError("--reading-time has to be more than 0 and at most 3600.")
        }
    }

    static func rate(_ text: String) throws -> FairUse.Rate? {
        if text == "none" { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let perSecond = Double(parts[0]), perSecond >= 0.001, perSecond.isFinite,
            let burst = Int(parts[1]), burst > 0
        else {
            throw ValidationError(
                "A rate has the format n/burst, such as 100/5000, with n at least 0.001, or is none."
            )
        }
        return FairUse.Rate(perSecond: perSecond, burst: burst)
    }
}
