import ArgumentParser
import InboxServer

/// What one person, and one API key, may use of the server.
struct FairUseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many requests one person's devices may send: in a second in the long run, and at once; none for any number.",
            valueName: "n/burst"
        ),
        transform: Self.rate
    )
    var personRate: FairUse.Rate? = FairUse().personRate

    @Option(
        help: ArgumentHelp("The same of the records that one person's devices change.", valueName: "n/burst"),
        transform: Self.rate
    )
    var changeRate: FairUse.Rate? = FairUse().changeRate

    @Option(
        help: ArgumentHelp("The same of the requests with one API key.", valueName: "n/burst"),
        transform: Self.rate
    )
    var keyRate: FairUse.Rate? = FairUse().keyRate

    @Option(help: ArgumentHelp("How many event streams one person may have open.", valueName: "n"))
    var personStreams = FairUse().streams

    @Option(help: ArgumentHelp("How many seconds one request of a person may read.", valueName: "s"))
    var readingTime = FairUse().readingTime

    var fairUse: FairUse {
        var fairUse = FairUse()
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

    private static func rate(_ text: String) throws -> FairUse.Rate? {
        if text == "none" { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let perSecond = Double(parts[0]), perSecond > 0, perSecond.isFinite,
            let burst = Int(parts[1]), burst > 0
        else { throw ValidationError("A rate is like 100/5000, or none.") }
        return FairUse.Rate(perSecond: perSecond, burst: burst)
    }
}
