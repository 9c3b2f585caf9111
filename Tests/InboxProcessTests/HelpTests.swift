import ArgumentParser
import Testing

@testable import inbox

/// The help of the commands.
@Suite(.timeLimit(.minutes(5))) struct HelpTests {
    @Test func `the lines of an example aren't wrapped`() {
        var commands: [any ParsableCommand.Type] = [InboxCommand.self]
        while let command = commands.popLast() {
            let configuration = command.configuration
            commands += configuration.subcommands
            let help = InboxCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            for line in configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(help.contains(line), "\(command)")
            }
        }
    }
}
