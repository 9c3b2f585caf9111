import ArgumentParser
import Logging

/// The options for the server's log.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The minimum log level: trace, debug, info, notice, warning, error.",
            valueName: "level"
        )
    )
    var logLevel = LogLevel(.info)

    @Option(
        help: ArgumentHelp("The log format: text, or json with one object per line.", valueName: "format")
    )
    var logFormat = LogFormat.text

    var logger: Logger { RunningServer.logger(logLevel.level, format: logFormat) }
}

/// The format of the log.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// A log level on the command line.
struct LogLevel: ExpressibleByArgument, CustomStringConvertible {
    let level: Logger.Level

    init(_ level: Logger.Level) { self.level = level }

    init?(argument: String) {
        guard let level = Logger.Level(rawValue: argument.lowercased()) else { return nil }
        self.level = level
    }

    var description: String { level.rawValue }
    var defaultValueDescription: String { level.rawValue }
}
