import ArgumentParser

/// The entry point: parses the command line, runs the command, and reports an error as one line on standard error and
/// an exit code.
@main
struct Main {
    static func main() async {
        StandardInput.prepare()
        do {
            try RequestedHelp.check(Array(CommandLine.arguments.dropFirst()))
            var command = try InboxCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = Failure(from: error) else { InboxCommand.exit(withError: error) }
            failure.exit()
        }
    }
}
