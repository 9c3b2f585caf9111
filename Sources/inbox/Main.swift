import ArgumentParser

/// The entry point: parses the command line, runs the command, and reports an error as one line on standard error and
/// an exit code.
///
/// A command's `validate()` checks what it was given, and its `run()` what is missing: ArgumentParser calls the former
/// before it names an option that it doesn't know, such as a misspelt one.
@main
struct Main {
    static func main() async {
        StandardInput.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if ToolVersion.isRequested(arguments) { return Output.line("inbox \(ToolVersion.text)") }
        do {
            try ArgumentEncoding.check()
            try CommandNames.check(arguments)
            var command = try InboxCommand.parseAsRoot()
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                Output.note("Error: \(error.message)\nUsage: \(InboxCommand.usageString(for: type(of: command)))")
                InboxCommand.exit(withError: ExitCode.validationFailure)
            }
        } catch {
            guard let failure = Failure(from: error) else { InboxCommand.exit(withError: error) }
            failure.exit()
        }
    }
}

/// The version of the tool.
enum ToolVersion {
    /// The newest section of CHANGELOG.md: a version, or `unreleased`.
    static let text = "unreleased"

    /// Whether a command line asks for the version. ArgumentParser's own flag would be one of every command, and
    /// `inbox mail edit` has an option of that name.
    ///
    /// - Parameter arguments: The arguments of the process, without its own name.
    static func isRequested(_ arguments: [String]) -> Bool { arguments == ["--version"] }
}
